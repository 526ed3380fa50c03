import { type DateTime, Effect } from "effect"
import { record } from "../../audit/index.ts"
import { requireRoom } from "../../entitlements/index.ts"
import { Locks, Outbox, transact } from "../../kernel/index.ts"
import { ChatAccount, type ChatAccountMode } from "../ChatAccount.ts"
import { ChatAccounts, type ChatSecrets } from "../ChatAccounts.ts"
import { ChatAccountExists } from "../Errors.ts"
import type { ChatAccountId } from "../Ids.ts"

interface Connecting {
  readonly id: ChatAccountId
  readonly mode: ChatAccountMode
  readonly displayName: string
  readonly externalAccountId: string
  readonly externalPhoneId: string
}

/** A number as it begins: nobody has asked the provider about it yet. */
export const freshAccount = (
  { displayName, externalAccountId, externalPhoneId, id, mode }: Connecting,
  now: DateTime.Utc
) =>
  new ChatAccount({
    id,
    provider: "whatsapp",
    mode,
    displayName,
    phone: null,
    externalAccountId,
    externalPhoneId,
    status: "connected",
    qualityRating: "unknown",
    messagingLimit: null,
    throughputPerSecond: null,
    lastCheckedAt: null,
    lastError: null,
    createdAt: now,
    updatedAt: now,
    version: 1
  })

/** Refuses a number that the plan has no room for, or that the organization has connected already. */
export const checkRoom = Effect.fnUntraced(function* (externalPhoneId: string) {
  const accounts = yield* ChatAccounts
  yield* requireRoom("chatAccounts", yield* accounts.count())
  const [known] = yield* accounts.findByNumber([externalPhoneId])
  if (known !== undefined) return yield* new ChatAccountExists({ chatAccountId: known.id })
})

/** Stores a number that is connected, if the plan has room for it. */
export const addAccount = Effect.fnUntraced(function* (account: ChatAccount, secrets: ChatSecrets) {
  const accounts = yield* ChatAccounts
  yield* (yield* Locks).exclusive("chat_accounts")
  yield* checkRoom(account.externalPhoneId)
  yield* accounts.insert(account, secrets)
  const { displayName, externalAccountId, externalPhoneId, id, mode, status } = account
  yield* record(
    "chat_account.connected",
    { kind: "chat_account", id },
    { after: { mode, displayName, externalAccountId, externalPhoneId, status } }
  )
  yield* (yield* Outbox).append({ type: "chat_account.connected", chatAccountId: id })
}, transact)
