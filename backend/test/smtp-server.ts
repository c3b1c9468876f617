import { SMTPServer } from "smtp-server";

/** A received mail. */
interface Received {
  from: string;
  to: string;
  user: string | undefined;
  /** The message source. */
  raw: string;
}

/** The reply code with which mails are refused; 0 for none. With `text`, only mails that contain it are refused. */
interface Refusal {
  with: number;
  text?: string;
}

/**
 * Starts a mail server on loopback that accepts mail for one user, until `refuse` is set: to every mail, or to those that contain `text`.
 * It answers a mail after `answer.after`.
 */
export async function startSmtp(): Promise<{
  url: string;
  port: number;
  received: Received[];
  refuse: Refusal;
  answer: { after?: Promise<void> };
  close: () => Promise<void>;
}> {
  const received: Received[] = [];
  const refuse: Refusal = { with: 0 };
  const answer: { after?: Promise<void> } = {};
  const refusal = () => Object.assign(new Error("refused"), { responseCode: refuse.with });
  const server = new SMTPServer({
    authOptional: false,
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      password === "p@ss" ? done(null, { user: username }) : done(new Error("wrong password")),
    onRcptTo: (_address, _session, done) => done(refuse.with === 0 || refuse.text !== undefined ? null : refusal()),
    onData(stream, { envelope, user }, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const raw = Buffer.concat(chunks).toString();
        if (refuse.text !== undefined && raw.includes(refuse.text)) return done(refusal());
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address).join(), user, raw });
        return void Promise.resolve(answer.after).then(() => done());
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
    answer,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
