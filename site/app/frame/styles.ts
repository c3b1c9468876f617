// The styles around public pages, for the root: the build for browsers leaves out the components of the frame, with their imports.
import.meta.glob(["./*.module.css", "../visits/*.module.css", "../ui/dialog.module.css"], { eager: true });
