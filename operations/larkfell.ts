import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { loadEnvFile } from "server/environment/environment.ts";
import packageJson from "../package.json" with { type: "json" };
import { withProgress } from "./progress.ts";

// The command-line tool. It exits with 0, with 1 for a command that failed, and with 2 for wrong arguments. A command loads its
// code when it runs.
const USAGE_ERROR = 2;

const program = new Command("larkfell")
  .usage("<command>")
  .description("Operates an installation. Commands read the same environment variables and .env file as the server.")
  .version(packageJson.version)
  .addHelpText("after", "\nThe server itself: `larkfell start` in a release, `npm start` in a checkout.")
  .exitOverride();

program
  .command("status")
  .description("Prints the addresses and keys of the installation as JSON, with the names of `supabase status -o json`.")
  .action(async () => {
    const { status } = await import("./commands/status.ts");
    console.log(await status());
  });

program
  .command("reset-password")
  .description("Prints a link with which the owner of an account chooses a new password. The server has to run.")
  .argument("<email>", "the address of the account")
  .option("--remove-second-factor", "also removes the second factors of the account, for a lost phone")
  .action(async (email: string, options: { removeSecondFactor?: true }) => {
    const { resetPassword } = await import("./commands/reset-password.ts");
    console.log(await resetPassword(email, options));
  });

program
  .command("backup")
  .description("Writes the database, the uploaded files and the secrets into one file, while the server runs or not.")
  .argument("<location>", "the new file, for example backup.tar or s3://bucket/backup.tar")
  .option("--without-secrets", "leaves the secrets out; otherwise BACKUP_PASSPHRASE encrypts them")
  .action(async (location: string, options: { withoutSecrets?: true }) => {
    const { backup } = await import("./commands/backup.ts");
    console.log(await withProgress((onProgress) => backup(location, { secrets: options.withoutSecrets !== true, onProgress })));
  });

program
  .command("restore")
  .description("Restores a backup into a new data directory or an empty database. Existing data are never changed.")
  .argument("<location>", "the backup: a file or s3://bucket/backup.tar")
  .requiredOption(
    "--into <location>",
    "a directory that does not exist, or the postgres:// address of an empty database, whose files then go into DATA_DIR",
  )
  .option("--without-secrets", "leaves the secrets out; otherwise BACKUP_PASSPHRASE decrypts them")
  .option("--database-only", "fills only the database of a server; the secrets and files in DATA_DIR stay as they are")
  .action(
    async (location: string, { into, withoutSecrets, databaseOnly }: { into: string; withoutSecrets?: true; databaseOnly?: true }) => {
      const { restore } = await import("./commands/restore.ts");
      const options = { into, secrets: withoutSecrets !== true, databaseOnly: databaseOnly === true };
      console.log(await withProgress((onProgress) => restore(location, { ...options, onProgress })));
    },
  );

program
  .command("rehearse")
  .description("Checks a backup: restores it into a temporary database, compares all rows, and tries a password hash and an uploaded file.")
  .argument("<location>", "the backup: a file or s3://bucket/backup.tar")
  .action(async (location: string) => {
    const { rehearse } = await import("./commands/rehearse.ts");
    console.log((await withProgress((onProgress) => rehearse(location, { onProgress }))).text);
  });

program
  .command("nightly")
  .description(
    "Makes and rehearses today's backup in BACKUP_DIR, and keeps those of seven days and four weeks. A server with BACKUP_DIR runs it itself.",
  )
  .option("--without-secrets", "leaves the secrets out; otherwise BACKUP_PASSPHRASE encrypts them")
  .addOption(
    new Option("--day <day>", "the day of the backup").argParser(parseDay).default(Temporal.Now.plainDateISO("Europe/London"), "today"),
  )
  .option("--begun", "looks up the row that the server wrote when it began this night; the server sets it")
  .option("--json", "prints the number of rows, or the problem, as JSON")
  .action(async ({ withoutSecrets, day, begun, json }: NightlyOptions) => {
    const { nightly } = await import("./commands/nightly.ts");
    const options = { day: day.toString(), begun: begun === true, secrets: withoutSecrets !== true };
    const made = json ? nightly(options) : withProgress((onProgress) => nightly({ ...options, onProgress }));
    const { rows, text } = await made.catch(async (error: unknown) => {
      const { problemOf } = await import("./problem.ts");
      if (json) console.log(JSON.stringify({ problem: problemOf(error) }));
      throw error;
    });
    console.log(json ? JSON.stringify({ rows }) : text);
  });

program
  .command("doctor")
  .description("Examines the installation: machine, server, public address, mail server and backups. Exits with 1 if something is wrong.")
  .action(async () => {
    const { doctor } = await import("./commands/doctor.ts");
    const { ok, text } = await doctor();
    console.log(text);
    if (!ok) process.exitCode = 1;
  });

program
  .command("healthcheck")
  .description("Checks if the running server is ready, for containers and monitors.")
  .action(async () => {
    const { healthcheck } = await import("./commands/healthcheck.ts");
    console.log(await healthcheck());
  });

program
  .command("export-person")
  .description("Writes everything about one person as JSON and as a page, for a request under data protection law. The server has to run.")
  .argument("<contact>", "the e-mail address or phone number of the person")
  .requiredOption("--into <folder>", "a new folder")
  .action(async (contact: string, options: { into: string }) => {
    const { exportPerson } = await import("./commands/export-person.ts");
    console.log(await exportPerson(contact, options));
  });

program
  .command("erase-person")
  .description(
    "Erases the data about one person that no law requires to be kept, and lists what is kept under which law. The server has to run.",
  )
  .argument("<contact>", "the e-mail address or phone number of the person")
  .option("--confirm", "erases; otherwise the records are only counted")
  .action(async (contact: string, { confirm }: { confirm?: true }) => {
    const { erasePerson } = await import("./commands/erase-person.ts");
    console.log(await erasePerson(contact, { confirmed: confirm === true }));
  });

program
  .command("move")
  .description("Moves the installation to another kind of database. Stop its server first. The old data stay where they are.")
  .requiredOption(
    "--into <location>",
    "the postgres:// address of an empty database, which then uses the secrets and files in DATA_DIR, or a directory that does not exist",
  )
  .action(async (options: { into: string }) => {
    const { move } = await import("./commands/move.ts");
    console.log(await withProgress((onProgress) => move({ ...options, onProgress })));
  });

try {
  loadEnvFile();
  await program.parseAsync();
} catch (error) {
  // Commander has printed the help or the problem.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : USAGE_ERROR;
  else {
    const { commandFailure } = await import("./problem.ts");
    console.error(commandFailure(error));
    process.exitCode = 1;
  }
}

interface NightlyOptions {
  withoutSecrets?: true;
  day: Temporal.PlainDate;
  begun?: true;
  json?: true;
}

function parseDay(text: string): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    throw new InvalidArgumentError("It is a day such as 2026-11-23.");
  }
}
