import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Config, Context, Effect, FileSystem, Layer, Redacted } from "effect"
import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { readDemoFile } from "../src/demo/demoFile.ts"
import { countBothWays } from "./support/countBothWays.ts"
import { freePort, runParley, startParley } from "./support/process.ts"

const inTime = 120_000

const repository = fileURLToPath(new URL("../../../", import.meta.url))

const blocksIn = (text: string, language: string) =>
  Array.from(text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)\n\`\`\`$`, "gms")), ([, code = ""]) => code)

const start = "npm start"

const quickStartPage = `${repository}packages/http-adapter/site/guides/quick-start.md`

/** The blocks of a guide in a language, in order. The demo that some of them start already runs. */
const blocksOf = Effect.fnUntraced(function* (guide: string, language: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs.readFileString(`${repository}packages/http-adapter/site/guides/${guide}.md`)
  const blocks = blocksIn(text, language).filter((block) => block !== start)
  assert.isNotEmpty(blocks, guide)
  return blocks.join("\n\n")
})

/** A newcomer's demo with a separate simulator, as described in the guide. */
class Demo extends Context.Service<
  Demo,
  {
    readonly folder: string
    readonly address: string
    readonly simulator: string
    readonly password: string
    readonly email: string
  }
>()("@parley/cli/test/Demo") {
  static readonly layer = Layer.effect(
    Demo,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* fs.makeTempDirectoryScoped({ prefix: "parley-guides-" })
      const [, simulator = ""] = yield* Effect.flatMap(
        startParley({ PARLEY_DATA_DIR: folder }, "simulator", "chat", "--port", "0"),
        ({ says }) => says(/listens at (http:\S+?);/)
      )
      const port = yield* freePort
      const demo = yield* startParley(
        {
          PARLEY_DATA_DIR: folder,
          PARLEY_PORT: String(port),
          PARLEY_CHAT_API_URL: simulator,
          PARLEY_ACCESS_LOG: "off"
        },
        "demo"
      )
      yield* demo.says(/Parley is running/)
      const { address, password, users } = yield* Effect.flatMap(readDemoFile(folder), Effect.fromOption)
      return Demo.of({ folder, address, simulator, password: Redacted.value(password), email: users[0]?.email ?? "" })
    })
  ).pipe(Layer.provideMerge(NodeServices.layer))
}

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

const run = (program: string, args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) =>
  Effect.callback<Ran>((resume) => {
    const child = execFile(
      program,
      args,
      { env: { PATH: `${process.execPath.slice(0, process.execPath.lastIndexOf("/"))}:/usr/bin:/bin`, ...env } },
      (error, out, err) => resume(Effect.succeed({ code: error === null ? 0 : Number(error.code ?? -1), out, err }))
    )
    return Effect.sync(() => child.kill())
  })

/** Runs the commands of a guide as they are printed, but for the addresses. */
const runShell = Effect.fnUntraced(function* (guide: string, last = "") {
  const { address, password, simulator } = yield* Demo
  const commands = (yield* blocksOf(guide, "bash"))
    .replaceAll("http://127.0.0.1:8787", address)
    .replaceAll("http://127.0.0.1:4010", simulator)
  const ran = yield* run("bash", ["-euo", "pipefail", "-c", `${commands}\n${last}`], { PASSWORD: password })
  assert.strictEqual(ran.code, 0, `${ran.out}\n${ran.err}`)
  return ran.out
})

/** Waits until what the customer wrote is in the inbox. */
const untilReceived = [
  'until curl -sS "$PARLEY/conversations?unread=true"',
  '-H "Authorization: Bearer $TOKEN" -H "X-Organization-Id: $ORGANIZATION"',
  "| grep -q 'Is my order on its way'; do :; done"
].join(" ")

/** Waits until the automation has finished its work, and prints it. */
const untilDone = [
  'until curl -sS "$PARLEY/automations/$AUTOMATION/runs"',
  '-H "Authorization: Bearer $TOKEN" -H "X-Organization-Id: $ORGANIZATION"',
  "| grep -m1 succeeded; do :; done"
].join(" ")

/** Printed by every complete program of a guide. */
const everyLine = ["2", "true", "%PDF-1.7 Rye bread: 4.20"] as const

layer(Demo.layer, { excludeTestServices: true, timeout: inTime })("the guides, command by command", (it) => {
  it.effect(
    "lead to a message that a customer writes in the simulator, and to an answer",
    () =>
      Effect.gen(function* () {
        const simulated = yield* runShell("simulator", untilReceived)
        assert.include(simulated, '"accepted":[]')
        const answered = yield* runShell("receive-and-answer")
        assert.include(answered, "Is my order on its way?")
        assert.match(answered, /"text":"Yes, it left this morning."/)
        assert.match(answered, /"status":"resolved"/)
        const { address, email, password } = yield* Demo
        const { byHand, counted } = yield* Effect.promise(() => countBothWays(address, { email, password }))
        assert.deepStrictEqual(counted, byHand)
        assert.isAtLeast(byHand.inbound, 1)
        assert.isAtLeast(byHand.orders, 1)
      }),
    inTime
  )

  it.effect(
    "read figures, and write them as tables and charts",
    () =>
      Effect.gen(function* () {
        const answered = yield* runShell("analytics")
        assert.include(answered, '"period":{"name":"7d"')
        assert.include(answered, "date,figure,currency,value")
        assert.match(answered, /"longestSeconds":/)
      }),
    inTime
  )

  it.effect(
    "have an automation tag a contact who is added",
    () =>
      Effect.gen(function* () {
        const ran = yield* runShell("automations", untilDone)
        assert.include(ran, '"state":"succeeded"')
        assert.match(ran, /"effect":\{"kind":"contact"/)
      }),
    inTime
  )

  it.effect.each([
    ["the guide", "packages/http-adapter/site/guides/from-typescript.md", everyLine],
    ["the package", "packages/client/README.md", everyLine],
    ["the README", "README.md", []]
  ] as const)(
    "call the API from TypeScript as %s shows it",
    ([, page, lines]) =>
      Effect.gen(function* () {
        const { address, email, password } = yield* Demo
        const fs = yield* FileSystem.FileSystem
        const folder = yield* fs.makeTempDirectoryScoped({
          directory: `${repository}packages/http-adapter`,
          prefix: ".samples-"
        })
        const blocks = blocksIn(yield* fs.readFileString(`${repository}${page}`), "ts")
        yield* fs.writeFileString(`${folder}/program.ts`, blocks.join("\n\n"))
        const ran = yield* run(process.execPath, [`${folder}/program.ts`], {
          PARLEY_URL: address,
          PARLEY_EMAIL: email,
          PARLEY_PASSWORD: password
        })
        assert.strictEqual(ran.code, 0, ran.err)
        assert.includeMembers(ran.out.trim().split("\n"), [...lines])
        assert.include(ran.out, "Ada Lovelace")
      }),
    inTime
  )
})

/** A separate demo in its initial state. */
const startDemo = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ prefix: "parley-guides-" })
  const port = yield* freePort
  const environment = { PARLEY_DATA_DIR: folder, PARLEY_PORT: String(port), PARLEY_ACCESS_LOG: "off" }
  return { folder, demo: yield* startParley(environment, "demo") }
})

/** Runs the commands of a guide on such a demo, with its address. Returns their output, and the folder of the demo. */
const runOnFreshDemo = Effect.fnUntraced(function* (guide: string, last = "") {
  const { demo, folder } = yield* startDemo
  yield* demo.says(/Parley is running/)
  const { address, password, simulator } = yield* Effect.flatMap(readDemoFile(folder), Effect.fromOption)
  const commands = (yield* blocksOf(guide, "bash")).replaceAll("http://127.0.0.1:8787", address)
  const ran = yield* run("bash", ["-euo", "pipefail", "-c", `${commands}\n${last}`], {
    PASSWORD: Redacted.value(password),
    SIMULATOR: simulator ?? ""
  })
  assert.strictEqual(ran.code, 0, `${ran.out}\n${ran.err}`)
  return { folder, out: ran.out }
})

const onFreshDemo = (guide: string, last = "") => Effect.map(runOnFreshDemo(guide, last), ({ out }) => out)

layer(NodeServices.layer, { excludeTestServices: true, timeout: inTime })("the guide to an onboarding", (it) => {
  it.effect(
    "leads from a signup to the first delivered template, also on the command line",
    () =>
      Effect.gen(function* () {
        const ids = 'echo "IDS:$ACCOUNT:$TEMPLATE:$CONVERSATION:"'
        const { folder, out } = yield* runOnFreshDemo("try-an-onboarding", ids)
        assert.include(out, "Hello Marie, your order is ready.")
        assert.match(out, /"status":"(?:delivered|read)"/)
        assert.match(out, /"step":"webhook_received"[^}]*"state":"done"/)
        const [, account = "", template = "", conversation = ""] = /IDS:(.+?):(.+?):(.+?):/.exec(out) ?? []
        const values = { $ACCOUNT: account, $TEMPLATE: template, $CONVERSATION: conversation }
        const lines = (yield* blocksOf("try-an-onboarding", "sh")).split("\n")
        const shown = yield* Effect.forEach(
          lines.filter((line) => line.startsWith("npm run -s parley -- ")),
          Effect.fnUntraced(function* (line) {
            const filled = Object.entries(values).reduce((text, [name, id]) => text.replaceAll(name, id), line)
            const ran = yield* runParley({ PARLEY_DATA_DIR: folder }, "", ...filled.split(" ").slice(5))
            assert.strictEqual(ran.code, 0, `${line}\n${ran.err}`)
            return ran.out
          }),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(shown, 5)
        assert.match(shown.join("\n"), /FOOTER\s+Corner Bakery/)
        assert.include(shown.join("\n"), "Hello Marie, your order is ready.")
      }),
    2 * inTime
  )
})

layer(NodeServices.layer, { excludeTestServices: true, timeout: inTime })("the guide to broadcasts", (it) => {
  it.effect(
    "leads from a draft to what came of a broadcast that was cancelled, on the demo as it starts",
    () =>
      Effect.gen(function* () {
        const out = yield* onFreshDemo("broadcasts")
        assert.match(out, /"toSend":[1-9]/)
        for (const status of ["sending", "paused", "cancelled"]) assert.include(out, `"status":"${status}"`)
        assert.match(out, /"status":"cancelled","matched":12,"sent":[1-9].+"neverSent":[1-9]/)
      }),
    inTime
  )
})

layer(NodeServices.layer, { excludeTestServices: true, timeout: inTime })("the guide to workflows", (it) => {
  it.effect(
    "publishes a first workflow, and every recipe, on the demo as it starts",
    () =>
      Effect.gen(function* () {
        const out = yield* onFreshDemo("workflows")
        assert.include(out, '{"faults":[]}')
        assert.include(out, "flowchart TD")
        assert.include(out, '"state":"cancelled"')
        for (const name of ["Welcome", "Abandoned cart", "Away", "Order question", "Win-back", "VIP"]) {
          assert.match(out, new RegExp(`"name":"${name}","status":"active","publishedVersion":1,`, "u"))
        }
      }),
    inTime
  )
})

/** Waits until the shop of the demo was read. */
const untilImported = [
  'until curl -sS "$PARLEY/commerce/customers?q=carla"',
  '-H "Authorization: Bearer $TOKEN" -H "X-Organization-Id: $ORGANIZATION"',
  '| grep \'"linkedBy":"phone"\'; do :; done'
].join(" ")

layer(NodeServices.layer, { excludeTestServices: true, timeout: inTime })("the guide to stores", (it) => {
  it.effect(
    "leads from a connected shop to its buyers, on the demo's initial data",
    () =>
      Effect.gen(function* () {
        const out = yield* onFreshDemo("stores", untilImported)
        assert.include(out, '"shopDomain":"another-shop.myshopify.com"')
        assert.match(out, /"contactId":"[^"]+","customers":\[/)
        assert.match(out, /"name":"Carla Customer"/)
      }),
    inTime
  )
})

layer(NodeServices.layer, { excludeTestServices: true, timeout: inTime })("the guide to plugins", (it) => {
  it.effect(
    "runs the example plugin with the demo, and it answers a customer with a tracking link",
    () =>
      Effect.gen(function* () {
        const out = yield* onFreshDemo("plugins")
        assert.match(out, /"key":"where-is-my-order"/)
        assert.match(out, /"text":"Here it is: https:\/\/track\.example\.com\/\w+"/)
      }),
    inTime
  )
})

/** Types the lines into one shell, in a folder of the repository where the demo's own folder is. */
const paste = Effect.fnUntraced(function* (lines: string, demoFolder: string) {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* fs.makeTempDirectoryScoped({ directory: repository, prefix: ".samples-" })
  yield* fs.symlink(demoFolder, `${folder}/.parley`)
  // The location of npm depends on the machine.
  const programs = yield* Config.String("PATH")
  return yield* Effect.callback<Ran>((resume) => {
    const shell = execFile(
      "bash",
      ["--norc", "-e"],
      { cwd: folder, env: { PATH: programs, PARLEY_DATA_DIR: demoFolder } },
      (error, out, err) => resume(Effect.succeed({ code: error === null ? 0 : Number(error.code ?? -1), out, err }))
    )
    shell.stdin?.end(lines)
    return Effect.sync(() => shell.kill())
  })
})

layer(NodeServices.layer, { excludeTestServices: true, timeout: inTime })("the quick start and the tour", (it) => {
  it.effect(
    "lead a newcomer who pastes the commands into one shell to an answered customer and an own tenant",
    () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const { demo, folder } = yield* startDemo
        const [banner] = yield* demo.says(/Parley is running[^]+on the plan free/)
        const commands = /^ {2}(TOKEN=[^]+?)\n\n/m.exec(banner)?.[1] ?? ""
        const { address } = yield* Effect.flatMap(readDemoFile(folder), Effect.fromOption)
        const [first, ...quickStart] = blocksIn(yield* fs.readFileString(quickStartPage), "bash")
        assert.strictEqual(first, start)
        const tour = blocksIn(yield* fs.readFileString(`${repository}docs/tour.md`), "sh")
        const blocks = [...quickStart.map((block) => block.replaceAll("http://127.0.0.1:8787", address)), ...tour]

        const { code, err, out } = yield* paste(`${commands}\n\n${blocks.join("\n\n")}\n`, folder)
        assert.strictEqual(code, 0, `${out}\n${err}`)
        for (const input of [
          /^\{"user":\{"id":"\S+","email":"demo@parley\.example"/m,
          /^\{"data":\[/m,
          /"timezone":"Europe\/Berlin"/,
          /"text":"Hello! Is my order on its way\?"/,
          /^read$/m,
          /^\[ 'Shoe size', 'Loyalty card' \]$/m,
          /^1 row was imported: 1 created, 0 updated, 0 unchanged\.$/m,
          /^STATE +exited$/m,
          /^REASON +goal$/m,
          /^GOALS +ordered$/m,
          /^HTTP\/1\.1 201 Created\s+(\{"id":.+\})\s+HTTP\/1\.1 201 Created\s+idempotency-replayed: true\s+\1$/m,
          /"type":"organization\.created"/,
          /"code":"feature_not_in_plan"/,
          /^http:\/\/127\.0\.0\.1:\d+\/docs#code=[\w-]{43}$/m,
          /^SLUG +blue-bottle$/m,
          /^ROLE +owner$/m,
          /member\.joined/
        ]) {
          assert.match(out, input)
        }
      }),
    2 * inTime
  )
})

/** Stands for the service: each message has this status. */
const stubs = (status: string) => `
api() { echo '{"id":"m1","status":"${status}","error":{"code":"recipient_unreachable"}}'; }
field() { "${process.execPath}" -p "JSON.parse(require('node:fs').readFileSync(0, 'utf8'))$1"; }
`

layer(NodeServices.layer)("the loop of the quick start that follows receipts", (it) => {
  it.effect.each(["failed", "in_doubt"])("ends when the message is %s, and prints its error", (status) =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const blocks = blocksIn(yield* fs.readFileString(quickStartPage), "bash")
      const loop = blocks.find((block) => block.includes("STATUS=queued")) ?? assert.fail()
      const { code, err, out } = yield* paste(`${stubs(status)}${loop}\n`, repository)
      assert.strictEqual(code, 0, err)
      assert.strictEqual(out, `${status}\n{ code: 'recipient_unreachable' }\n`)
    })
  )
})
