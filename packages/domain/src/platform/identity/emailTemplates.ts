import { DateTime, Effect, Redacted } from "effect"
import { type Quota, RateLimits, type Role, Vault } from "../../kernel/index.ts"
import { escapeForMail, type EmailTemplate, MailThrottled } from "../mail/index.ts"

/** Where an invitation's link leads. The token stands in the fragment, which no browser sends and no server logs. */
export const invitationUrl = (publicUrl: string, token: Redacted.Redacted) =>
  `${publicUrl}/invitations/accept#token=${Redacted.value(token)}`

/** Where the link to a new password leads. */
export const passwordResetUrl = (publicUrl: string, token: Redacted.Redacted) =>
  `${publicUrl}/password/reset#token=${Redacted.value(token)}`

/** The link of an invitation, where it is handed over by whoever invites. */
export interface OneTimeLink {
  readonly token: Redacted.Redacted
  readonly url: string
  readonly expiresAt: DateTime.Utc
}

/** The mail to an invited person. */
export const invitationEmail = (organizationName: string, role: Role, url: string): EmailTemplate => {
  const organization = escapeForMail(organizationName) || "an organization"
  return {
    subject: `Your invitation to ${organization} on Parley`,
    before: [`You are invited to join “${organization}” on Parley, in the role ${role}.`, "Accept the invitation:"],
    link: { label: "Accept the invitation", url },
    after: [
      "The link works once, for 7 days. Whoever has it can join in your name: do not pass it on.",
      "If you do not know who invites you, you need not do anything."
    ]
  }
}

/** The mail to somebody who has forgotten their password. */
export const passwordResetEmail = (url: string): EmailTemplate => ({
  subject: "A new password for Parley",
  before: ["Somebody, most likely you, has asked for a new password for your account on Parley.", "Choose it here:"],
  link: { label: "Choose a new password", url },
  after: [
    "The link works once, for 60 minutes. Whoever has it can get into your account: do not pass it on.",
    "If it was not you, you need not do anything: your password stays as it is."
  ]
})

const hourMillis = 60 * 60_000
const dayMillis = 24 * hourMillis

/** No more than fit into the life of a link: whoever asks too often still has one that works. */
const resetsPerMailbox: Quota = { limit: 3, windowMillis: hourMillis }

/** An office may share an address. */
const resetsPerAddress: Quota = { limit: 30, windowMillis: hourMillis }

const invitationsPerOrganization: Quota = { limit: 200, windowMillis: dayMillis }

/** From one organization: it may have lost one, or withdrawn it. */
const invitationsPerPerson: Quota = { limit: 3, windowMillis: dayMillis }

/** From all organizations. */
const invitationsPerMailbox: Quota = { limit: 10, windowMillis: dayMillis }

const spendQuota = Effect.fnUntraced(function* (bucket: string, quota: Quota) {
  const { granted, resetsAt } = yield* (yield* RateLimits).spend(bucket, quota, 1)
  if (granted > 0) return
  const millis = DateTime.toEpochMillis(resetsAt) - DateTime.toEpochMillis(yield* DateTime.now)
  return yield* new MailThrottled({ retryAfterSeconds: Math.max(1, Math.ceil(millis / 1000)) })
})

const mailboxFingerprint = (email: string) =>
  Effect.flatMap(Vault, (vault) => vault.fingerprint("mail-throttle", email))

const resetBucket = (email: string) => Effect.map(mailboxFingerprint(email), (box) => `mail:reset:${box}`)

/** Refuses an address that asks for too many links, for whomever. */
export const limitResetsByAddress = (address: string) => spendQuota(`mail:reset-from:${address}`, resetsPerAddress)

/** Whether one more link may go to this mailbox. It is never said to whoever asks. */
export const isResetMailAllowed = Effect.fnUntraced(function* (email: string) {
  const { granted } = yield* (yield* RateLimits).spend(yield* resetBucket(email), resetsPerMailbox, 1)
  return granted > 0
})

/** A link was used, so its owner can ask again. */
export const clearResetLimit = Effect.fnUntraced(function* (email: string) {
  yield* (yield* RateLimits).refund(yield* resetBucket(email), resetsPerMailbox, resetsPerMailbox.limit)
})

/** Refuses an organization that would flood a mailbox with invitations, alone or with others. */
export const limitInvitations = Effect.fnUntraced(function* (organizationId: string, email: string) {
  const box = yield* mailboxFingerprint(email)
  yield* spendQuota(`mail:invite-from:${organizationId}`, invitationsPerOrganization)
  yield* spendQuota(`mail:invite:${organizationId}:${box}`, invitationsPerPerson)
  yield* spendQuota(`mail:invite:${box}`, invitationsPerMailbox)
})
