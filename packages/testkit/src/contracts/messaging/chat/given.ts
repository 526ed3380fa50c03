import { transact } from "@parley/domain/kernel"
import {
  ChatAccount,
  ChatAccountId,
  ChatAccounts,
  type ChatSecrets,
  initialOnboarding,
  MessageTemplate,
  MessageTemplateId,
  MessageTemplates,
  unknownDetails
} from "@parley/domain/messaging"
import { DateTime, Effect, Schema } from "effect"
import { freshId } from "../../given.ts"

export const morning = DateTime.makeUnsafe("2026-03-01T08:00:00.123Z")
export const evening = DateTime.makeUnsafe("2026-03-01T20:00:00Z")

/** The whole list. */
export const all = { limit: 1_000, after: null }

const encodeAccount = Schema.encodeSync(ChatAccount)
const encodeTemplate = Schema.encodeSync(MessageTemplate)

export const plainAccount = (account: ChatAccount) => encodeAccount(account)
export const plainTemplate = (template: MessageTemplate) => encodeTemplate(template)

/** The store treats sealed secrets as opaque text. */
export const sealed = (mark: string): ChatSecrets => ({
  accessToken: `sealed token ${mark}`,
  appSecret: `sealed secret ${mark}`,
  formerAppSecret: null,
  verifyToken: `sealed verify token ${mark}`,
  pin: `sealed pin ${mark}`,
  pendingPin: `sealed pending pin ${mark}`
})

export const newAccount = (overrides: Partial<ChatAccount> = {}): ChatAccount => {
  const id = freshId(ChatAccountId)
  return new ChatAccount({
    id,
    provider: "whatsapp",
    mode: "own_app",
    displayName: "Café “Süd”",
    phone: "+4930123456",
    externalAccountId: `business-${id}`,
    externalPhoneId: `phone-${id}`,
    messagingAccountId: `messaging-${id}`,
    url: null,
    status: "connected",
    qualityRating: "green",
    messagingLimit: "TIER_2K",
    throughputPerSecond: 80,
    number: { ...unknownDetails, status: "connected", platform: "cloud_api", verifiedName: "Café" },
    onboarding: { ...initialOnboarding, codeExchangedAt: morning, registrationCalls: [morning] },
    lastCheckedAt: morning,
    lastError: { code: 131_031, reason: "“locked”" },
    createdAt: morning,
    updatedAt: morning,
    version: 1,
    ...overrides
  })
}

/** A number that is connected. */
export const givenAccount = Effect.fnUntraced(function* (overrides: Partial<ChatAccount> = {}) {
  const account = newAccount(overrides)
  yield* Effect.orDie(transact((yield* ChatAccounts).insert(account, sealed(account.id))))
  return account
})

export const newTemplate = (
  chatAccountId: ChatAccountId,
  overrides: Partial<MessageTemplate> = {}
): MessageTemplate => {
  const id = freshId(MessageTemplateId)
  return new MessageTemplate({
    id,
    chatAccountId,
    name: `order_${id.replaceAll("-", "_")}`,
    language: "pt-BR",
    category: "utility",
    components: {
      header: { format: "text", text: "Olá {{1}}", examples: { "1": "Ana" } },
      body: { text: "Pedido {{1}} 🥐 está a caminho.", examples: { "1": "1042" } },
      footer: { text: "Acme" },
      buttons: [
        { type: "quick_reply", text: "Obrigada" },
        { type: "url", text: "Ver", url: "https://acme.example/{{1}}", example: "1042" }
      ]
    },
    variables: [
      { key: "header.1", in: "header", kind: "text" },
      { key: "body.1", in: "body", kind: "text" },
      { key: "buttons.1", in: "buttons", kind: "url_suffix" }
    ],
    status: "approved",
    rejectionReason: null,
    quality: "yellow",
    externalId: "42",
    createdAt: morning,
    updatedAt: morning,
    version: 1,
    ...overrides
  })
}

/** Removes an account, and lets its queue wait until the evening. */
export const removeAccount = ({ id }: Pick<ChatAccount, "id">, expected: number | null = null) =>
  Effect.flatMap(ChatAccounts, (accounts) =>
    transact(accounts.remove(id, { at: morning, sendsWaitUntil: evening }, expected))
  )

/** Connects an account again that was removed. */
export const reviveAccount = (account: ChatAccount) =>
  Effect.flatMap(ChatAccounts, (accounts) => transact(accounts.revive(account, sealed("new"))))

/** A template of an account. */
export const givenTemplate = Effect.fnUntraced(function* (
  chatAccountId: ChatAccountId,
  overrides: Partial<MessageTemplate> = {}
) {
  const template = newTemplate(chatAccountId, overrides)
  yield* Effect.orDie(transact((yield* MessageTemplates).insert(template)))
  return template
})

export const insertAccount = (account: ChatAccount) =>
  Effect.flatMap(ChatAccounts, (accounts) => transact(accounts.insert(account, sealed(account.id))))

export const saveAccount = (account: ChatAccount, expected: number | null) =>
  Effect.flatMap(ChatAccounts, (accounts) => transact(accounts.save(account, null, expected)))

export const removedAccounts = Effect.flatMap(ChatAccounts, (accounts) => accounts.removed())

export const everyAccount = Effect.flatMap(ChatAccounts, (accounts) => accounts.list(all))
