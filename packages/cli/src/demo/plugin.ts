import type { Organization } from "@parley/domain/platform"
import { listContacts } from "@parley/domain/crm"
import {
  enablePlugin,
  getPlugin,
  installPlugin,
  listPlugins,
  offerPlugin,
  type Plugin,
  PluginKey,
  uninstallPlugin
} from "@parley/domain/integrations"
import { getContactCommerce } from "@parley/domain/commerce"
import { Console, Data, Duration, Effect, FileSystem, Schedule } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { createRequire } from "node:module"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { Assets } from "@parley/domain/kernel"
import { asMember } from "../tenant/selection.ts"
import { demoCustomers } from "./customers.ts"
import { freePort, inDemo } from "./provider.ts"
import { demoTenants } from "./tenants.ts"

const [
  {
    users: [{ email: owner }]
  }
] = demoTenants

const key = PluginKey.make("where-is-my-order")

/** The program of the plugin is in the bundle, or in the repository next to the packages. */
const findProgram = Effect.map(Assets, (assets) =>
  assets === null
    ? resolve(
        createRequire(import.meta.url).resolve("@parley/cli/package.json"),
        "../../../examples/where-is-my-order/src/main.ts"
      )
    : fileURLToPath(new URL("where-is-my-order.mjs", assets))
)

/** The program reads no input. Its input closes when the demo ends for any reason, and the program then exits. */
const endWithDemo = "data:text/javascript,process.stdin.resume().on('end',()=>process.exit())"

const briefly = { schedule: Schedule.spaced("250 millis"), times: 120 } as const

/** Waits 1 s after the first failure, then longer, at most 30 s. */
const backOff = Schedule.exponential("1 second").pipe(
  Schedule.modifyDelay(({ duration }) => Effect.succeed(Duration.min(duration, Duration.seconds(30))))
)

/** Repeats an attempt until it succeeds. The program of the plugin can start slowly, so the attempts end only with the demo. */
export const untilStarted = <A, E, R>(attempt: Effect.Effect<A, E, R>) =>
  attempt.pipe(
    Effect.retry(briefly),
    Effect.catch((error) =>
      Effect.andThen(
        Effect.logWarning("The demo's plugin has not started yet. Parley tries again", error),
        Effect.retry(attempt, { schedule: backOff })
      )
    )
  )

/** Input of the demo for its plugin. */
interface Place {
  /** Address of the service. */
  readonly address: string
  readonly dataDir: string
  /** Whether a store exists whose orders the plugin can find. */
  readonly hasStore: boolean
}

/** Runs the program during the demo. It does not receive the configuration of the service. */
const run = Effect.fnUntraced(function* (program: string, { address, dataDir }: Place, port: number) {
  const command = ChildProcess.make(process.execPath, ["--import", endWithDemo, program], {
    env: { PARLEY_URL: address, PORT: String(port), PLUGIN_FILE: `${dataDir}/where-is-my-order.json` },
    stdin: "pipe",
    stdout: "ignore",
    stderr: "inherit"
  })
  yield* (yield* ChildProcessSpawner.ChildProcessSpawner).spawn(command)
})

/** Waits until the shop is read. Otherwise, the plugin would find no parcel. */
const parcelIsKnown = (organization: Organization) =>
  Effect.gen(function* () {
    const { data } = yield* listContacts({ phone: demoCustomers.marie.phone, page: { limit: 1, cursor: null } })
    const [contact] = data
    return contact === undefined ? [] : (yield* getContactCommerce({ id: contact.id, orders: 1 })).orders
  }).pipe(Effect.repeat({ ...briefly, until: (orders) => orders.length > 0 }), (known) =>
    asMember(organization, owner, known)
  )

/** Keeps the plugin of an earlier start, or installs it. At another address, it replaces the earlier one. */
const ensurePlugin = Effect.fnUntraced(function* (known: Plugin | undefined, url: string) {
  if (known?.manifest.baseUrl === url) {
    return known.status === "failed" ? yield* enablePlugin({ id: known.id, ifVersion: null }) : known
  }
  if (known !== undefined) yield* uninstallPlugin({ id: known.id, force: true, ifVersion: null })
  return yield* installPlugin({ key, grants: ["conversations.read", "conversations.manage", "commerce.read"] })
})

/** The plugin has not answered its lifecycle calls yet. */
class PluginPending extends Data.TaggedError("PluginPending")<{ readonly status: Plugin["status"] }> {}

/** Returns whether the plugin is enabled. Fails while it is being installed. Enables a plugin again that did not answer in time. */
const isEnabled = Effect.fnUntraced(function* (id: Plugin["id"]) {
  const { status } = yield* getPlugin({ id })
  if (status === "failed") yield* enablePlugin({ id, ifVersion: null })
  return status === "failed" || status === "installing" ? yield* new PluginPending({ status }) : status === "enabled"
})

/** Runs and installs the example plugin. Returns `true` after the plugin can answer customers. A disabled plugin stays disabled. */
const openPlugin = Effect.fnUntraced(function* (place: Place) {
  const program = yield* findProgram
  if (!(yield* (yield* FileSystem.FileSystem).exists(program))) return false
  return yield* inDemo((organization) =>
    Effect.gen(function* () {
      const { data } = yield* asMember(organization, owner, listPlugins({ page: { limit: 100, cursor: null } }))
      const known = data.find((each): each is Plugin => each.key === key)
      const before = known === undefined ? null : Number(new URL(known.manifest.baseUrl).port)
      const port = yield* freePort(before)
      const url = `http://127.0.0.1:${port}`
      yield* run(program, place, port)
      yield* untilStarted(offerPlugin({ url: `${url}/plugin.json` }))
      if (place.hasStore) yield* parcelIsKnown(organization)
      const { id } = yield* asMember(organization, owner, ensurePlugin(known, url))
      return yield* untilStarted(asMember(organization, owner, isEnabled(id)))
    })
  )
})

const question = (simulator: string) =>
  `curl -s ${simulator}/simulator/write -H 'content-type: application/json' -d '${JSON.stringify({
    phoneId: "200000000000001",
    from: demoCustomers.marie.phone.slice(1),
    message: { type: "text", text: "Where is my order?" }
  })}'`

/** Starts the plugin, and prints how to try it. The service runs even if this fails. */
export const openDemoPlugin = (place: Place, simulator: string | null) =>
  openPlugin(place).pipe(
    Effect.flatMap((works) => {
      if (!works) return Effect.void
      const description = "A plugin answers customers who ask Acme where their order is."
      return simulator === null
        ? Console.log(`${description}\n`)
        : Console.log(`${description} Send a question of Marie, and open the inbox:\n  ${question(simulator)}\n`)
    }),
    Effect.catchCause((cause) => Effect.logWarning("The plugin of the demo is not available", cause))
  )
