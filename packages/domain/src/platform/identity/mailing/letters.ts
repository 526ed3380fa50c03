import { type DateTime, Redacted } from "effect"
import type { Role } from "../../../kernel/index.ts"
import { harmless, type Letter } from "../../mail/index.ts"

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
export const invitationLetter = (organizationName: string, role: Role, url: string): Letter => {
  const organization = harmless(organizationName) || "an organization"
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
export const passwordResetLetter = (url: string): Letter => ({
  subject: "A new password for Parley",
  before: ["Somebody, most likely you, has asked for a new password for your account on Parley.", "Choose it here:"],
  link: { label: "Choose a new password", url },
  after: [
    "The link works once, for 60 minutes. Whoever has it can get into your account: do not pass it on.",
    "If it was not you, you need not do anything: your password stays as it is."
  ]
})
