import { configureGlobal } from "fast-check";

// Every run tries the same cases; set FUZZ_SEED to try others.
configureGlobal({ seed: Number(process.env["FUZZ_SEED"] ?? 1) });
