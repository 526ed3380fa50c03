import { DateTime, Effect } from "effect"
import { Locks, transact } from "../../../kernel/index.ts"
import { type AuditValues, recordAudit } from "../../../platform/audit/index.ts"
import { ChatAccount, type ChatAccountId } from "../ChatAccount.ts"
import { ChatAccounts, type ChatSecrets } from "../ChatAccounts.ts"
import { saveAccount } from "../accountStatus.ts"
import type { OnboardingState, StepFailure } from "./OnboardingState.ts"
import type { OnboardingRefused } from "./errors.ts"

/** Returns a refusal in the form in which the account stores it. */
export const toStepFailure = (
  { providerCode, providerReason, reason }: OnboardingRefused,
  at: DateTime.Utc
): StepFailure => ({ reason, code: providerCode, providerReason, at })

/** Returns the account with changed onboarding steps. */
export const withOnboarding = (account: ChatAccount, changed: Partial<OnboardingState>): ChatAccount =>
  new ChatAccount({ ...account, onboarding: { ...account.onboarding, ...changed } })

/** Sealed PINs of an account. */
export type StoredPins = Pick<ChatSecrets, "pendingPin" | "pin">

interface AccountUpdate {
  readonly change: (before: ChatAccount, now: DateTime.Utc) => ChatAccount
  /** Sealed PINs to store; `null` deletes one, and an absent one stays. */
  readonly pins?: Partial<StoredPins>
  /** Action of the audit entry; an absent one records none. */
  readonly audit?: string
  /** Values of the audit entry after the change. */
  readonly auditAfter?: AuditValues
  /** Whether the change is only a note for a call that follows. It appends no event. */
  readonly isNote?: true
}

const loadSecrets = Effect.fnUntraced(function* (id: ChatAccountId) {
  const [found] = yield* (yield* ChatAccounts).secrets([id])
  if (found === undefined) return yield* Effect.die(new Error("A chat account has no secrets."))
  const { accessToken, appSecret, formerAppSecret, pendingPin, pin, verifyToken } = found
  return { accessToken, appSecret, formerAppSecret, pendingPin, pin, verifyToken } satisfies ChatSecrets
})

/** Changes the current account in one unit of work. A provider call never runs in it. */
export const updateAccount = Effect.fnUntraced(function* (
  id: ChatAccountId,
  { audit, auditAfter, change, isNote, pins }: AccountUpdate
) {
  yield* (yield* Locks).exclusive("chat_accounts")
  const accounts = yield* ChatAccounts
  const before = yield* accounts.get(id)
  const now = yield* DateTime.now
  const after = new ChatAccount({ ...change(before, now), updatedAt: now })
  const secrets = pins === undefined ? null : { ...(yield* loadSecrets(id)), ...pins }
  const saved = yield* isNote === true
    ? Effect.catchTag(accounts.save(after, secrets, null), "VersionConflict", (error) => Effect.die(error))
    : saveAccount(before, after, secrets)
  if (audit !== undefined)
    yield* recordAudit(audit, { kind: "chat_account", id }, auditAfter === undefined ? {} : { after: auditAfter })
  return saved
}, transact)

/** Returns the sealed PINs of an account. */
export const loadSealedPins = (id: ChatAccountId) =>
  Effect.map(loadSecrets(id), ({ pendingPin, pin }): StoredPins => ({ pendingPin, pin }))
