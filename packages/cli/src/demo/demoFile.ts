import { Role } from "@parley/domain/kernel"
import { type Settings, WrongConfiguration } from "@parley/service/configuration"
import { Effect, FileSystem, Redacted, Schema } from "effect"
import { card } from "../console/print.ts"

/** Data of the demo for the user of this machine: its address and login. */
export const DemoFile = Schema.fromJsonString(
  Schema.Struct({
    address: Schema.String,
    password: Schema.RedactedFromValue(Schema.String),
    /** Address of the chat simulator. It differs at each start. */
    simulator: Schema.optionalKey(Schema.NullOr(Schema.String)),
    /** Address of the demo shop on this machine. It differs at each start. */
    store: Schema.optionalKey(Schema.NullOr(Schema.String)),
    users: Schema.Array(
      Schema.Struct({
        email: Schema.String,
        role: Schema.optionalKey(Role),
        organization: Schema.String,
        plan: Schema.String
      })
    )
  })
)
export type DemoFile = typeof DemoFile.Type

const pathOf = (dataDir: string) => `${dataDir}/demo.json`

/** Reads the file of the demo, if a readable one exists. */
export const readDemoFile = Effect.fnUntraced(function* (dataDir: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFileString(pathOf(dataDir)).pipe(Effect.flatMap(Schema.decodeEffect(DemoFile)), Effect.option)
})

/** Writes the file of the demo, readable by the owner of this process only. */
export const writeDemoFile = Effect.fnUntraced(function* (dataDir: string, demo: DemoFile) {
  const fs = yield* FileSystem.FileSystem
  const file = pathOf(dataDir)
  const text = yield* Effect.orDie(Schema.encodeEffect(DemoFile)(demo))
  yield* Effect.andThen(
    // An existing file would keep its mode, so it is deleted first.
    Effect.ignore(fs.remove(file)),
    fs.writeFileString(file, `${text}\n`, { flag: "wx", mode: 0o600 })
  ).pipe(Effect.mapError(() => new WrongConfiguration({ faults: [`PARLEY_DATA_DIR: cannot write ${file}.`] })))
})

/** Folder of the mails that the demo does not send. */
export const mailFolderOf = ({ dataDir }: Pick<Settings, "dataDir">) => `${dataDir.value}/mails`

const indent = (text: string) => text.replace(/^/gm, "  ")

/** Places that the welcome text names. */
interface Places {
  readonly file: string
  readonly docsLink: string
  /** Returns how users run a command. */
  readonly invocation: (command: string) => string
}

/** Welcome text of a running demo. */
export const welcome = (demo: DemoFile, { docsLink, file, invocation }: Places) => {
  const [first] = demo.users
  const password = Redacted.value(demo.password)
  const body = JSON.stringify({ email: first?.email, password })
  return [
    "",
    `Parley is running at ${demo.address} (Ctrl-C stops it)`,
    "",
    `Read the documentation, signed in (the link works once, within 60 seconds; create a new one: ${invocation("docs-link")})`,
    indent(docsLink),
    "",
    "Log in, and show your identity",
    indent(`TOKEN=$(curl -s ${demo.address}/api/v1/auth/login -H 'content-type: application/json' \\`),
    indent(`  -d '${body}' | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')`),
    indent(`curl -s ${demo.address}/api/v1/auth/me -H "authorization: Bearer $TOKEN"`),
    "",
    "A customer has just written to Acme: read the message, answer, and watch the result",
    indent(invocation("inbox")),
    "",
    "Onboard a number, from the signup to the first delivered template",
    indent(`${demo.address}/docs/guides/try-an-onboarding`),
    "",
    `Users, with the password ${password} (stored in ${file})`,
    indent(
      card(
        demo.users.map(
          ({ email, organization, plan, role = "member" }) =>
            [email, `${role} of ${organization}, on the plan ${plan}`] as const
        )
      )
    ),
    ""
  ].join("\n")
}
