import {
  channelFor,
  ChatAccounts,
  connectChatAccount,
  CurrentActor,
  CurrentOrganization,
  getChatAccount,
  OrganizationDirectory,
  syncMessageTemplates
} from "@parley/domain"
import { defaultNumbers, type RunningChatSimulator, startChatSimulator } from "@parley/testkit/simulators/chat"
import { DateTime, Effect, Redacted } from "effect"
import { demoActor } from "./closeDemo.ts"
import { demoTenants } from "./tenants.ts"

const [number] = defaultNumbers

const appSecret = "demo-app-secret"

/** Who writes to the demo. */
export const demoCustomer = { phone: "+4915123456789", name: "Carla Customer" } as const

const template = {
  name: "order_update",
  language: "en",
  category: "utility",
  named: false,
  parts: [
    { type: "body", text: "Hello {{1}}, your order {{2}} is on its way.", example: { "1": "Carla", "2": "1042" } },
    { type: "footer", text: "Acme" }
  ]
} as const

/** A chat provider for the demo, on this machine: its customers read what they get, and answer. */
export const startDemoProvider = Effect.flatMap(DateTime.now, (now) =>
  startChatSimulator({
    // It forgets the messages of earlier runs; those who got them do not.
    idPrefix: `SIM${DateTime.toEpochMillis(now)}.`,
    reviewMillis: 0,
    receipts: { sent: 200, delivered: 600, read: 1_500 },
    autoReplies: [{ reply: "Wonderful, thank you!", afterMillis: 1_000 }]
  })
)

const inDemo = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const [{ organization }] = demoTenants
  const found = yield* (yield* OrganizationDirectory).findBySlug(organization.slug)
  return found === null ? null : yield* Effect.provideService(effect, CurrentOrganization, { id: found.id })
})

const ensureAccount = Effect.gen(function* () {
  if (number === undefined) return yield* Effect.die(new Error("The simulator has no number."))
  const [known] = yield* (yield* ChatAccounts).findByNumber("whatsapp", [number.phoneId])
  if (known !== undefined) return { account: yield* getChatAccount(known.id), isNew: false }
  const account = yield* connectChatAccount({
    displayName: "Acme Support",
    externalAccountId: number.businessId,
    externalPhoneId: number.phoneId,
    accessToken: Redacted.make(number.accessToken),
    appSecret: Redacted.make(appSecret)
  })
  return { account, isNew: true }
})

/**
 * Connects the demo's number, and has a customer write to it when it is new. The provider forgets everything when it stops,
 * so its templates and its customer are given to it at each start.
 */
export const openDemoChat = (provider: RunningChatSimulator) =>
  inDemo(
    Effect.gen(function* () {
      const { account, isNew } = yield* ensureAccount
      provider.setWebhook({ url: account.webhookUrl, appSecret })
      const line = {
        accessToken: Redacted.make(number?.accessToken ?? ""),
        phoneId: account.externalPhoneId,
        businessId: account.externalAccountId
      }
      yield* (yield* channelFor(account, "templates")).submit(line, template)
      yield* syncMessageTemplates(account.id)
      const customer = provider.addCustomer(demoCustomer.phone, demoCustomer.name)
      if (isNew) {
        provider.write(account.externalPhoneId, customer, { type: "text", text: "Hello! Is my order on its way?" })
      }
    })
  ).pipe(Effect.provideService(CurrentActor, demoActor))
