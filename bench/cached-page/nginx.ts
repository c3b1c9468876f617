import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Serves one file by nginx with one worker process; undefined where nginx is not installed. */
export async function startNginx(
  port: number,
  directory: string,
  file: string,
  headers: Record<string, string>,
): Promise<ChildProcess | undefined> {
  copyFileSync(file, join(directory, "page"));
  const configuration = join(directory, "nginx.conf");
  const { "content-type": type = "text/html", "content-length": _, ...others } = headers;
  const fields = Object.entries(others).map(([name, value]) => `add_header ${name} "${value.replaceAll('"', '\\"')}";`);
  writeFileSync(
    configuration,
    `worker_processes 1; daemon off; pid "${join(directory, "nginx.pid")}"; error_log stderr crit; user root;
events {}
http {
  access_log "${join(directory, "access.log")}"; keepalive_requests 10000000; etag off; open_file_cache max=10; types {} default_type "${type}";
  server { listen 127.0.0.1:${port}; root "${directory}"; location / { try_files /page =404; ${fields.join(" ")} } }
}`,
  );
  const child = spawn("nginx", ["-c", configuration, "-e", "stderr"], { stdio: "inherit" });
  return once(child, "spawn").then(
    () => child,
    () => undefined,
  );
}
