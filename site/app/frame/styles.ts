// Imports the styles of the frame for the root, because the build for browsers omits the components of the frame and their imports.
import.meta.glob(["./*.module.css", "../visits/*.module.css", "../ui/dialog.module.css"], { eager: true });
