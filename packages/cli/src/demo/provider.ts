import { CurrentActor, CurrentOrganization } from "@parley/domain/kernel"
import { type EmailMessage, type Organization, OrganizationDirectory } from "@parley/domain/platform"
import {
  channelFor,
  ChatAccounts,
  type ChatAccountView,
  connectChatAccount,
  getChatAccount,
  registerChatAccount,
  syncMessageTemplates
} from "@parley/domain/messaging"
import { type MailLayer, sendingMail } from "@parley/service"
import type { Settings } from "@parley/service/configuration"
import {
  defaultNumbers,
  type RunningChatSimulator,
  type SimulatedNumber,
  startChatSimulator
} from "@parley/simulators/chat"
import { layerMailFolder } from "@parley/simulators/mail"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { createServer } from "node:net"
import { carla, demoCustomers } from "./customers.ts"
import { mailFolderOf } from "./demoFile.ts"
import { tellHistory } from "./history.ts"
import { demoActor, demoTenants } from "./tenants.ts"

const [number] = defaultNumbers

const appSecret = "demo-app-secret"

const handles: ReadonlyMap<string, string> = new Map()

/** Template of the reminder in the demo workflow. */
export const reminder = {
  name: "cart_reminder",
  language: "en",
  category: "marketing",
  components: {
    body: {
      text: "Hello {{1}}, your cart of {{2}} is still here. Shall we help?",
      examples: { "1": "Ana", "2": "90.44 EUR" }
    },
    footer: { text: "Acme" }
  },
  timeToLive: null,
  handles
} as const

const update = {
  name: "order_update",
  language: "en",
  category: "utility",
  components: {
    body: { text: "Hello {{1}}, your order {{2}} is on its way.", examples: { "1": "Carla", "2": "1042" } },
    footer: { text: "Acme" }
  },
  timeToLive: null,
  handles
} as const

/** Starts a simulated chat provider on this machine. Its customers read their messages and answer. */
export const startDemoProvider = Effect.flatMap(DateTime.now, (now) =>
  startChatSimulator({
    // The provider loses the messages of earlier runs, but their receivers keep them. Ids therefore differ for each run.
    idPrefix: `SIM${DateTime.toEpochMillis(now)}.`,
    // A new demo onboards its number. The provider loses the registration of earlier runs, so later starts add a registered one.
    numbers: [],
    reviewMillis: 0,
    receipts: { sent: 200, delivered: 600, read: 1_500 },
    autoReplies: [{ reply: "Wonderful, thank you!", afterMillis: 1_000 }]
  })
)

/** Runs an effect in the main organization of the demo. */
export const inDemo = Effect.fnUntraced(
  function* <A, E, R>(effect: (organization: Organization) => Effect.Effect<A, E, R>) {
    const [{ organization }] = demoTenants
    const found = yield* Effect.fromNullishOr(yield* (yield* OrganizationDirectory).findBySlug(organization.slug))
    return yield* Effect.provideService(effect(found), CurrentOrganization, { id: found.id })
  },
  Effect.provideService(CurrentActor, demoActor)
)

/** Connects a verified number and registers it, as an organization does with its first number. */
const onboard = Effect.fnUntraced(function* (provider: RunningChatSimulator, verified: SimulatedNumber) {
  provider.addNumber(verified, "verified")
  const { id } = yield* connectChatAccount({
    displayName: "Acme Support",
    externalAccountId: verified.businessId,
    externalPhoneId: verified.phoneId,
    accessToken: Redacted.make(verified.accessToken),
    appSecret: Redacted.make(appSecret)
  })
  return yield* registerChatAccount({ id })
})

const ensureAccount = Effect.fnUntraced(function* (provider: RunningChatSimulator) {
  if (number === undefined) return yield* Effect.die(new Error("The simulator has no number."))
  const [known] = yield* (yield* ChatAccounts).findByNumber("whatsapp", [number.phoneId])
  if (known === undefined) return { account: yield* onboard(provider, number), isNew: true }
  provider.addNumber(number)
  return { account: yield* getChatAccount({ id: known.id }), isNew: false }
})

/** The number of the demo, and whether it was connected at this start. */
export interface DemoLine {
  readonly account: ChatAccountView
  readonly isNew: boolean
}

/** Registers recent messages of the customers at the provider. The demo can then answer all of them. */
const introduceCustomers = (provider: RunningChatSimulator, phoneId: string) => {
  for (const { name, phone } of [carla, ...Object.values(demoCustomers)]) {
    provider.write(phoneId, provider.addCustomer(phone, name), { type: "text", text: "Hello!" })
  }
}

/**
 * Connects the number of the demo, and creates its history in a new demo. The provider loses its data when it stops, so each start adds the templates
 * and customers again. New events are not delivered yet.
 */
export const connectDemoChat = (provider: RunningChatSimulator) =>
  inDemo((organization) =>
    Effect.gen(function* () {
      const { account, isNew } = yield* ensureAccount(provider)
      const line = {
        accessToken: Redacted.make(number?.accessToken ?? ""),
        phoneId: account.externalPhoneId,
        businessId: account.externalAccountId
      }
      const { submit } = yield* channelFor(account, "templates")
      for (const template of [update, reminder]) yield* submit(line, template)
      yield* syncMessageTemplates({ chatAccountId: account.id })
      introduceCustomers(provider, account.externalPhoneId)
      if (isNew) yield* tellHistory({ organization, account, appSecret, provider })
      return { account, isNew } satisfies DemoLine
    })
  )

/** Starts the deliveries of the provider. In a new demo, a customer writes. */
export const openDemoChat = (provider: RunningChatSimulator, { account, isNew }: DemoLine) => {
  provider.setWebhook({ url: account.webhookUrl, appSecret })
  if (isNew)
    provider.write(account.externalPhoneId, carla.phone, { type: "text", text: "Hello! Is my order on its way?" })
}

/** Stores mails in the data folder instead of sending them. */
export const keptMail = (settings: Settings, announce: (mail: EmailMessage) => Effect.Effect<void>): MailLayer =>
  Layer.mergeAll(layerMailFolder(mailFolderOf(settings), announce), sendingMail(settings))

const listenable = (port: number) =>
  Effect.callback<number | null>((resume) => {
    const server = createServer()
    server.once("error", () => resume(Effect.succeed(null)))
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resume(Effect.succeed(typeof address === "object" && address !== null ? address.port : null)))
    })
  })

/** Returns a free port of this machine: the wanted one if it is free. */
export const freePort = Effect.fnUntraced(function* (wanted: number | null) {
  const port = wanted === null ? null : yield* listenable(wanted)
  return port ?? (yield* listenable(0)) ?? (yield* Effect.die(new Error("No port is free.")))
})
