import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { CurrentActor, CurrentOrganization } from "@parley/domain/kernel"
import { Organization, User } from "@parley/domain/platform"
import { ConversationView } from "@parley/domain/messaging"
import { createBroadcast } from "@parley/domain/campaigns"
import { startChatSimulator } from "@parley/simulators/chat"
import { DateTime, Effect, FileSystem, Schema } from "effect"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { asService } from "./support/asService.ts"
import { connect, incoming, receive } from "./support/chat.ts"
import { commandLine, type Environment, printed } from "./support/commandLine.ts"
import { OnServer } from "./support/database.ts"
import { serviceOn } from "./support/inProcess.ts"
import { chosenPassword } from "./support/ownPassword.ts"

const UserWithPassword = Schema.Struct({ ...User.fields, password: Schema.String })

const main = fileURLToPath(import.meta.resolve("../src/main.ts"))

/** Completions of bash for this line, with the printed script. */
const offered = (environment: Environment, script: string, line: string) =>
  Effect.callback<ReadonlyArray<string>>((resume) => {
    const words = line.split(" ")
    const driver = `
      parley() { "$NODE" "$MAIN" "$@" < /dev/null; }
      ${script}
      COMP_LINE="$LINE"; COMP_POINT=\${#COMP_LINE}
      COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}
      _parley parley '${words.at(-1)}' '${words.at(-2)}'
      printf '%s\\n' "\${COMPREPLY[@]}"
    `
    const shell = execFile(
      "bash",
      ["-s"],
      { env: { PATH: "/usr/bin:/bin", NODE: process.execPath, MAIN: main, LINE: line, ...environment } },
      (error, out) => resume(error === null ? Effect.succeed(out.trimEnd().split("\n")) : Effect.die(error))
    )
    shell.stdin?.end(driver)
  })

/** A line without its description. */
const valueOf = (line: string) => line.split("\t", 1)[0]

describe("completions", () => {
  layer(OnServer.layer, { excludeTestServices: true })((it) => {
    it.effect(
      "offer what there is, on the database and on a service, and nothing where nothing answers",
      () =>
        Effect.gen(function* () {
          const fs = yield* FileSystem.FileSystem
          const folder = yield* fs.makeTempDirectoryScoped({ prefix: "parley-cli-" })
          const { url } = yield* startChatSimulator()
          const environment = { ...(yield* OnServer), PARLEY_CHAT_API_URL: url }
          const { parley } = commandLine(environment)
          const organization = yield* printed(Organization, yield* parley("orgs", "create", "Acme", "--json"))
          yield* parley("orgs", "create", "Bakery")
          const { password } = yield* printed(
            UserWithPassword,
            yield* parley("users", "create", "ann@tab.example", "--json")
          )
          yield* parley("members", "add", "--org", "acme", "ann@tab.example", "--role", "owner")
          yield* asService(environment, connect(organization))
          yield* asService(environment, receive(organization, incoming("Hello", yield* DateTime.now)))
          const broadcast = yield* asService(
            environment,
            createBroadcast({ name: "Spring" }).pipe(
              Effect.provideService(CurrentOrganization, { id: organization.id }),
              Effect.provideService(CurrentActor, { kind: "operator", name: "test" })
            )
          )
          const [conversation] = yield* printed(
            Schema.Array(ConversationView),
            yield* parley("conversations", "list", "--org", "acme", "--json")
          )
          const address = yield* serviceOn(environment)
          const person = { PARLEY_CONFIG_DIR: folder }
          const { parley: remote, parleyWithInput } = commandLine(person)
          yield* parleyWithInput(
            `${password}\n${chosenPassword}`,
            "login",
            "--new-password",
            "--server",
            address,
            "--profile",
            "prod",
            "--email",
            "ann@tab.example"
          )

          const complete = (line: string) => parley("complete", "--", ...line.split(" "))
          assert.deepStrictEqual((yield* complete("members list --org ")).out.split("\n"), ["acme", "bakery"])
          assert.deepStrictEqual((yield* complete("members list --json --org=a")).out.split("\n"), ["acme", "bakery"])
          assert.deepStrictEqual((yield* complete("orgs show ")).out.split("\n"), ["acme", "bakery"])
          assert.strictEqual((yield* complete("conversations show --org acme ")).out, conversation?.id)
          assert.strictEqual((yield* complete("conversations send --org=acme ")).out, conversation?.id)
          assert.strictEqual((yield* complete("broadcasts cancel --org acme ")).out, broadcast.id)
          assert.strictEqual((yield* complete("members remove --org acme ")).out, "ann@tab.example")
          assert.strictEqual((yield* complete("tokens issue --org acme --as ")).out, "ann@tab.example")
          assert.include((yield* complete("users disable ")).out, "ann@tab.example")
          assert.match((yield* complete("templates sync --org acme --chat-account ")).out, /^[\da-f-]{36}$/)
          assert.match((yield* complete("inbound show --org acme ")).out, /^[\da-f-]{36}$/)

          const tab = (line: string) => remote("complete", "--", ...line.split(" "))
          assert.strictEqual((yield* tab("members list --org ")).out, "acme")
          assert.strictEqual((yield* tab("conversations show ")).out, conversation?.id)
          assert.strictEqual((yield* tab("members list --profile ")).out, "prod")
          assert.strictEqual((yield* tab("profiles use ")).out, "prod")

          const silent = { code: 0, out: "", err: "" }
          for (const line of ["conversations send x ", "members list --limit ", "nonsense ", "serve --port "]) {
            assert.deepStrictEqual(yield* tab(line), silent)
          }
          const away = commandLine({ ...environment, PARLEY_DATABASE_URL: "postgres://ann@127.0.0.1:1/nothing" })
          assert.deepStrictEqual(yield* away.parley("complete", "--", "members", "list", "--org", ""), silent)
          const empty = commandLine({ PARLEY_DATA_DIR: `${folder}/none` })
          assert.deepStrictEqual(yield* empty.parley("complete", "--", "members", "list", "--org", ""), silent)
          assert.isFalse(yield* fs.exists(`${folder}/none`))

          const script = (yield* remote("completions", "bash")).out
          assert.strictEqual((yield* remote("--completions", "bash")).out, script)
          const [slugs, ids, commands] = yield* Effect.forEach(
            ["parley members list --org ", "parley conversations show ", "parley conv"],
            (line) => offered(person, script, line),
            { concurrency: 2 }
          )
          assert.deepStrictEqual(slugs, ["acme"])
          assert.deepStrictEqual(ids, [conversation?.id ?? "?"])
          assert.deepStrictEqual(commands, ["conversations"])
          assert.include((yield* remote("completions", "zsh")).out, "compdef _parley parley")
          assert.include((yield* remote("completions", "fish")).out, "-a '(__parley_complete)'")
          for (const shell of ["bash", "zsh", "fish", "powershell"]) {
            assert.isBelow((yield* remote("completions", shell)).out.length, 4_096, shell)
          }
          assert.deepStrictEqual((yield* tab("conversations s")).out.split("\n").map(valueOf), ["show", "send"])
          assert.deepStrictEqual((yield* tab("members list --pro")).out.split("\n").map(valueOf), ["--profile"])
        }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
      120_000
    )
  })
})
