import {
  enablePlugin,
  getContactCommerce,
  getPlugin,
  installPlugin,
  listContacts,
  listPlugins,
  offerPlugin,
  type Organization,
  type Plugin,
  PluginKey,
  uninstallPlugin
} from "@parley/domain"
import { Console, Effect, FileSystem, Schedule } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { fileURLToPath } from "node:url"
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

/** The plugin's program is in the repository, beside the packages. Whoever has installed the packages alone has no examples. */
const program = fileURLToPath(new URL("../../../../examples/where-is-my-order/src/main.ts", import.meta.url))

/** The program reads nothing: its input ends when the demo is gone, however that has ended. */
const endWithDemo = "data:text/javascript,process.stdin.resume().on('end',()=>process.exit())"

const briefly = { schedule: Schedule.spaced("250 millis"), times: 120 } as const

/** What the demo tells its plugin. */
interface Place {
  /** Where the service is. */
  readonly address: string
  readonly dataDir: string
  /** Whether it has a store whose orders the plugin can find. */
  readonly hasStore: boolean
}

/** Runs the program beside the demo, until the demo ends. It knows nothing of how the service is configured. */
const run = Effect.fnUntraced(function* ({ address, dataDir }: Place, port: number) {
  const command = ChildProcess.make(process.execPath, ["--import", endWithDemo, program], {
    env: { PARLEY_URL: address, PORT: String(port), PLUGIN_FILE: `${dataDir}/where-is-my-order.json` },
    stdin: "pipe",
    stdout: "ignore",
    stderr: "inherit"
  })
  yield* (yield* ChildProcessSpawner.ChildProcessSpawner).spawn(command)
})

/** The shop is read before the plugin begins: it would find no parcel. */
const parcelIsKnown = (organization: Organization) =>
  Effect.gen(function* () {
    const { data } = yield* listContacts({ phone: demoCustomers.marie.phone }, { limit: 1, cursor: null })
    const [contact] = data
    return contact === undefined ? [] : (yield* getContactCommerce(contact.id, 1)).orders
  }).pipe(Effect.repeat({ ...briefly, until: (orders) => orders.length > 0 }), (known) =>
    asMember(organization, owner, known)
  )

/** Installs the plugin where it was installed at the start before, or anew: at another address it is another one. */
const ensurePlugin = Effect.fnUntraced(function* (known: Plugin | undefined, url: string) {
  if (known?.manifest.baseUrl === url) {
    return known.status === "failed" ? yield* enablePlugin(known.id, null) : known
  }
  if (known !== undefined) yield* uninstallPlugin(known.id, true, null)
  return yield* installPlugin({ key, grants: ["conversations.read", "conversations.manage", "commerce.read"] })
})

/**
 * Runs the plugin of the examples beside the demo, and installs it. It says `true` once the plugin answers customers; whoever has
 * disabled it finds it disabled.
 */
const openPlugin = Effect.fnUntraced(function* (place: Place) {
  if (!(yield* (yield* FileSystem.FileSystem).exists(program))) return false
  return yield* inDemo((organization) =>
    Effect.gen(function* () {
      const { data } = yield* asMember(organization, owner, listPlugins("installed", { limit: 100, cursor: null }))
      const known = data.find((each): each is Plugin => each.key === key)
      const before = known === undefined ? null : Number(new URL(known.manifest.baseUrl).port)
      const port = yield* freePort(before)
      const url = `http://127.0.0.1:${port}`
      yield* run(place, port)
      yield* offerPlugin(`${url}/plugin.json`).pipe(Effect.retry(briefly))
      if (place.hasStore) yield* parcelIsKnown(organization)
      const { id } = yield* asMember(organization, owner, ensurePlugin(known, url))
      const { status } = yield* asMember(organization, owner, getPlugin(id)).pipe(
        Effect.repeat({ ...briefly, until: ({ status }) => status !== "installing" })
      )
      return status === "enabled"
    })
  )
})

const question = (simulator: string) =>
  `curl -s ${simulator}/simulator/write -H 'content-type: application/json' -d '${JSON.stringify({
    phoneId: "200000000000001",
    from: demoCustomers.marie.phone.slice(1),
    message: { type: "text", text: "Where is my order?" }
  })}'`

/** Opens the plugin, and says how to see it work. Whatever becomes of it, the service runs. */
export const openDemoPlugin = (place: Place, simulator: string | null) =>
  openPlugin(place).pipe(
    Effect.flatMap((works) => {
      if (!works) return Effect.void
      const said = "A plugin answers whoever asks Acme where their order is."
      return simulator === null
        ? Console.log(`${said}\n`)
        : Console.log(`${said} Have Marie ask, and look at the inbox:\n  ${question(simulator)}\n`)
    }),
    Effect.catchCause((cause) => Effect.logWarning("The demo's plugin is closed", cause))
  )
