import { DateTime, Effect, Redacted } from "effect"
import { type Quota, RateLimits, type Role, Vault } from "../../kernel/index.ts"
import { escapeForMail, type EmailTemplate, MailThrottled } from "../mail/index.ts"

/** Returns the URL of an invitation. The token is in the fragment, which browsers do not send and servers do not log. */
export const invitationUrl = (publicUrl: string, token: Redacted.Redacted) =>
  `${publicUrl}/invitations/accept#token=${Redacted.value(token)}`

export const passwordResetUrl = (publicUrl: string, token: Redacted.Redacted) =>
  `${publicUrl}/password/reset#token=${Redacted.value(token)}`

/** Link of an invitation that the inviter gives to the person. */
export interface OneTimeLink {
  readonly token: Redacted.Redacted
  readonly url: string
  readonly expiresAt: DateTime.Utc
}

export const invitationEmail = (organizationName: string, role: Role, url: string): EmailTemplate => {
  const organization = escapeForMail(organizationName) || "an organization"
  return {
    subject: `Your invitation to ${organization} on Parley`,
    before: [`You are invited to join “${organization}” on Parley, in the role ${role}.`, "Accept the invitation:"],
    link: { label: "Accept the invitation", url },
    after: [
      "The link works once, for 7 days. It allows any person to join in your name: do not share it.",
      "If you do not expect this invitation, ignore this email."
    ]
  }
}

export const passwordResetEmail = (url: string): EmailTemplate => ({
  subject: "Reset your Parley password",
  before: ["Parley received a request for a new password for your account.", "Choose it here:"],
  link: { label: "Choose a new password", url },
  after: [
    "The link works once, for 60 minutes. It gives access to your account: do not share it.",
    "If you did not request this, ignore this email. Your password does not change."
  ]
})

const hourMillis = 60 * 60_000
const dayMillis = 24 * hourMillis

/** Limited to the number that fits into the lifetime of a link. A mailbox beyond the limit still has a valid link. */
const resetsPerMailbox: Quota = { limit: 3, windowMillis: hourMillis }

/** Several people in an office may share an address. */
const resetsPerAddress: Quota = { limit: 30, windowMillis: hourMillis }

const invitationsPerOrganization: Quota = { limit: 200, windowMillis: dayMillis }

/** Limit of one organization. A mail can be lost, or an invitation revoked. */
const invitationsPerPerson: Quota = { limit: 3, windowMillis: dayMillis }

/** Limit of all organizations together. */
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

/** Rejects an address with too many reset requests for any mailboxes. */
export const limitResetsByAddress = (address: string) => spendQuota(`mail:reset-from:${address}`, resetsPerAddress)

/** Whether another link may be sent to this mailbox. The response never reveals it. */
export const isResetMailAllowed = Effect.fnUntraced(function* (email: string) {
  const { granted } = yield* (yield* RateLimits).spend(yield* resetBucket(email), resetsPerMailbox, 1)
  return granted > 0
})

/** Resets the limit after the use of a link, because the owner may request again. */
export const clearResetLimit = Effect.fnUntraced(function* (email: string) {
  yield* (yield* RateLimits).refund(yield* resetBucket(email), resetsPerMailbox, resetsPerMailbox.limit)
})

/** Rejects an organization that would flood a mailbox with invitations, alone or with others. */
export const limitInvitations = Effect.fnUntraced(function* (organizationId: string, email: string) {
  const box = yield* mailboxFingerprint(email)
  yield* spendQuota(`mail:invite-from:${organizationId}`, invitationsPerOrganization)
  yield* spendQuota(`mail:invite:${organizationId}:${box}`, invitationsPerPerson)
  yield* spendQuota(`mail:invite:${box}`, invitationsPerMailbox)
})
