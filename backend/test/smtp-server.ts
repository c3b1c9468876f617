import { SMTPServer } from "smtp-server";

/** A received mail. */
export interface Received {
  from: string;
  to: string;
  user: string | undefined;
  /** The message source. */
  raw: string;
}

/** Starts a mail server on loopback that accepts mail for one user, until `refuse` is set. */
export async function startSmtp(): Promise<{
  url: string;
  port: number;
  received: Received[];
  refuse: { with: number };
  close: () => Promise<void>;
}> {
  const received: Received[] = [];
  const refuse = { with: 0 };
  const server = new SMTPServer({
    authOptional: false,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === "p@ss" ? done(null, { user: username }) : done(new Error("wrong password")),
    onRcptTo: (_address, _session, done) =>
      done(refuse.with === 0 ? null : Object.assign(new Error("later"), { responseCode: refuse.with })),
    onData(stream, { envelope, user }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address).join(), user, raw: Buffer.concat(chunks).toString() });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("The mail server has no port");
  return {
    url: `smtp://staff:p%40ss@127.0.0.1:${address.port}`,
    port: address.port,
    received,
    refuse,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
