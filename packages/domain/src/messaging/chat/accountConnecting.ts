import { DateTime, Effect, Order, Redacted, Schema } from "effect"
import { nextId, transact } from "../../kernel/index.ts"
import { recordAudit } from "../../platform/audit/index.ts"
import { withinLimit, requireCapacity } from "../../platform/entitlements/index.ts"
import {
  ChatAccount,
  ChatAccountId,
  type ChatAccountMode,
  ChatAccountView,
  DisplayName,
  type NewEndpoint
} from "./ChatAccount.ts"
import { ChatAccounts, type ChatSecrets, type RemovedAccount } from "./ChatAccounts.ts"
import { channelFor, checkUrl } from "./ChatChannels.ts"
import { toChatAccountView } from "./ChatSettings.ts"
import type { ProviderConnection, NumberHealth } from "./ProviderConnection.ts"
import { withHealth } from "./accountHealth.ts"
import { type ChannelFailure, ChatAccountExists, ChatNumberUnknown, ChatTokenRefused } from "./errors.ts"
import { appendEvent } from "./events.ts"
import { initialOnboarding, type OnboardingState } from "./onboarding/OnboardingState.ts"
import { type ConnectionFields, connectedNumberFields } from "./onboarding/tokenCheck.ts"
import { createEndpointSecrets } from "./secrets.ts"
import { requestTemplateSync } from "./templates/templateSyncTask.ts"

const toConnectError = (failure: ChannelFailure, fields: ConnectionFields) => {
  if (failure._tag === "ChannelUnreachable") return failure
  const { code, reason, remedy } = failure
  switch (remedy) {
    case "reauthorize":
      return new ChatTokenRefused({ providerCode: code, reason, pointer: fields.token })
    case "give_up":
      return new ChatNumberUnknown({ providerCode: code, reason, pointer: fields.number })
    default:
      return failure
  }
}

/** Fetches the health of a number. Only the provider can confirm that it exists and can be used. `fields`: pointers of its refusals. */
export const fetchNumberHealth = Effect.fnUntraced(function* (
  provider: string,
  line: ProviderConnection,
  fields: ConnectionFields = connectedNumberFields
) {
  const { check } = yield* channelFor({ provider }, "checking")
  return yield* Effect.mapError(check(line), (failure) => toConnectError(failure, fields))
})

export interface ConnectionInput {
  readonly provider: string
  readonly mode: ChatAccountMode
  readonly displayName: string | undefined
  readonly externalAccountId: string
  readonly externalPhoneId: string
  readonly messagingAccountId: string | null
  readonly url: string | null
  readonly onboarding: OnboardingState
}

const isDisplayName = Schema.is(DisplayName)

/** Creates the account of a number without an earlier connection. */
const newAccount = (id: ChatAccountId, connecting: ConnectionInput, verifiedName: string | null, now: DateTime.Utc) =>
  new ChatAccount({
    ...connecting,
    id,
    displayName: connecting.displayName ?? (isDisplayName(verifiedName) ? verifiedName : connecting.externalPhoneId),
    phone: null,
    status: "connected",
    qualityRating: "unknown",
    messagingLimit: null,
    throughputPerSecond: null,
    number: null,
    lastCheckedAt: null,
    lastError: null,
    createdAt: now,
    updatedAt: now,
    version: 1
  })

/** Restores the account of a removed number. */
const reconnectedAccount = (
  { account }: RemovedAccount,
  { displayName = account.displayName, ...connecting }: ConnectionInput
) =>
  new ChatAccount({
    ...account,
    ...connecting,
    url: account.url,
    displayName,
    // Restrictions belong to the business account. The number can return with another one.
    restrictions: connecting.externalAccountId === account.externalAccountId ? account.restrictions : [],
    // The provider still counts the registrations of the earlier connection.
    onboarding: { ...connecting.onboarding, registrationCalls: account.onboarding.registrationCalls },
    version: account.version + 1
  })

/** Fails if the organization has already connected the number. */
const checkNumber = Effect.fnUntraced(function* ({
  externalPhoneId,
  provider
}: Pick<ConnectionInput, "externalPhoneId" | "provider">) {
  const accounts = yield* ChatAccounts
  const [known] = yield* accounts.findByNumber(provider, [externalPhoneId])
  if (known !== undefined) return yield* new ChatAccountExists({ chatAccountId: known.id })
})

/** Fails like `addAccount` for a plan limit or a connected number, before the provider is called. */
export const checkAccountCapacity = Effect.fnUntraced(function* (
  connecting: Pick<ConnectionInput, "externalPhoneId" | "provider">
) {
  yield* requireCapacity("chatAccounts")
  yield* checkNumber(connecting)
})

/** Fails if the phone is connected under another id of the provider, because one number has one history. */
const checkPhone = Effect.fnUntraced(function* ({ phone, provider }: ChatAccount) {
  if (phone === null) return
  const all = yield* (yield* ChatAccounts).list({ limit: 1_000, after: null })
  const known = all.find((each) => each.provider === provider && each.phone === phone)
  if (known !== undefined) return yield* new ChatAccountExists({ chatAccountId: known.id })
})

const byRemovalTime = Order.mapInput(Order.flip(DateTime.Order), ({ removedAt }: RemovedAccount) => removedAt)

/**
 * Returns the removed account of a number; `null` if none exists. A number that moves to another business account gets another id from the provider.
 * Its phone then identifies it.
 */
const findFormerAccount = Effect.fnUntraced(function* ({ externalPhoneId, phone, provider }: ChatAccount) {
  const all = yield* (yield* ChatAccounts).removed()
  const removed = all.filter(({ account }) => account.provider === provider).toSorted(byRemovalTime)
  return (
    removed.find(({ account }) => account.externalPhoneId === externalPhoneId) ??
    removed.find(({ account }) => phone !== null && account.phone === phone) ??
    null
  )
})

/** Stores a number known to the provider, within the plan limit. A reconnected number resumes its history, its templates and its queue. */
export const addAccount = Effect.fnUntraced(
  function* <E, R>(
    id: ChatAccountId,
    connecting: ConnectionInput,
    health: NumberHealth | null,
    sealFor: (id: ChatAccountId) => Effect.Effect<ChatSecrets, E, R>
  ) {
    const accounts = yield* ChatAccounts
    yield* checkNumber(connecting)
    const now = yield* DateTime.now
    const looked = (account: ChatAccount) => (health === null ? account : withHealth(account, health, now))
    const fresh = looked(newAccount(id, connecting, health?.verifiedName ?? null, now))
    yield* checkPhone(fresh)
    const former = yield* findFormerAccount(fresh)
    const account = former === null ? fresh : looked(reconnectedAccount(former, connecting))
    const secrets = yield* sealFor(account.id)
    if (former === null) yield* accounts.insert(account, secrets)
    else {
      yield* Effect.catchTag(accounts.revive(account, secrets), "NotFound", Effect.die)
      yield* requestTemplateSync([account.id])
    }
    const { displayName, externalAccountId, externalPhoneId, mode, provider, status, url } = account
    yield* recordAudit(
      "chat_account.connected",
      { kind: "chat_account", id: account.id },
      {
        after: {
          provider,
          mode,
          displayName,
          externalAccountId,
          externalPhoneId,
          status,
          ...(url !== null && { url })
        }
      }
    )
    yield* appendEvent({ type: "chat_account.connected", chatAccountId: account.id })
    return account
  },
  withinLimit("chatAccounts"),
  transact
)

/** Connects an account with its own URL, and shows its signing secret once. */
export const connectEndpoint = Effect.fnUntraced(function* ({ displayName, provider, url }: NewEndpoint) {
  yield* checkUrl(provider, url)
  const id = yield* nextId(ChatAccountId)
  const { secret, secrets } = yield* createEndpointSecrets(id, null)
  const account = yield* addAccount(
    id,
    {
      provider,
      mode: "own_app",
      displayName,
      externalAccountId: id,
      externalPhoneId: id,
      messagingAccountId: null,
      url,
      onboarding: initialOnboarding
    },
    null,
    () => Effect.succeed(secrets)
  )
  return new ChatAccountView({ ...(yield* toChatAccountView(account)), signingSecret: Redacted.value(secret) })
})
