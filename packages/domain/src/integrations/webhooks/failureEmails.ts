import { DateTime, Duration, Effect } from "effect"
import { CurrentOrganization, type Feature } from "../../kernel/index.ts"
import { type Member, Members } from "../../platform/identity/index.ts"
import { escapeForMail, type EmailTemplate, MailSettings, queueEmail } from "../../platform/mail/index.ts"
import type { DisabledReason } from "./WebhookSubscription.ts"

/** Receiver in an email: the name of the subscription, and the feature of a managed one. */
export interface Receiver {
  readonly name: string
  readonly feature: Feature | null
}

/** Display name, location and remedy in the email. */
const emailWording = ({ feature, name }: Receiver) =>
  feature === "plugins"
    ? {
        called: `plugin ${escapeForMail(name)}`,
        quoted: `plugin “${escapeForMail(name)}”`,
        guide: "plugins#token-and-events",
        remedy: "Enable it after the fix: it gets a new token and new events."
      }
    : {
        called: `webhook ${escapeForMail(name)}`,
        quoted: `webhook “${escapeForMail(name)}”`,
        guide: "webhooks#webhooks-out",
        remedy: "When the receiver works again, enable the subscription and replay the missed events:"
      }

const linkTo = (guide: string, publicUrl: string) => ({
  label: "Read about retries of deliveries",
  url: `${publicUrl}/docs/guides/${guide}`
})

const closingLines = ["You get this email because you are an owner or an admin of the organization."]

/** Builds the email about a receiver that has failed for a day. */
export const buildEndpointFailingEmail = (receiver: Receiver, publicUrl: string): EmailTemplate => {
  const { called, guide, quoted } = emailWording(receiver)
  return {
    subject: `Your ${called} has been failing for a day`,
    before: [
      `Parley could not deliver events to your ${quoted} for 24 hours.`,
      "Parley continues to retry. After five days without a success it stops.",
      "The deliveries show the errors:"
    ],
    link: linkTo(guide, publicUrl),
    after: closingLines
  }
}

const disabledExplanations: Readonly<Record<Exclude<DisabledReason, "manual">, string>> = {
  gone: "The receiver answered with 410 (gone).",
  failing: "No delivery succeeded for five days."
}

/** Builds the email about a disabled receiver. */
export const buildEndpointDisabledEmail = (
  receiver: Receiver,
  reason: Exclude<DisabledReason, "manual">,
  publicUrl: string
): EmailTemplate => {
  const { called, guide, quoted, remedy } = emailWording(receiver)
  return {
    subject: `Your ${called} is disabled`,
    before: [`Parley no longer delivers to your ${quoted}. ${disabledExplanations[reason]}`, remedy],
    link: linkTo(guide, publicUrl),
    after: closingLines
  }
}

const pageSize = 100

/** Maximum age of an unsent email. Later it is obsolete. */
const maxMailAge = Duration.days(1)

const isAddressed = ({ role, status }: Member) => status === "active" && (role === "owner" || role === "admin")

/** Emails all owners and admins, in the unit of work of the reported change. Does nothing if the service sends no email. */
export const notifyAdmins = Effect.fnUntraced(function* (letterFrom: (publicUrl: string) => EmailTemplate) {
  const { publicUrl, sendsMail } = yield* MailSettings
  if (!sendsMail) return
  const members = yield* Members
  const { id: sentBy } = yield* CurrentOrganization
  const expiresAt = DateTime.addDuration(yield* DateTime.now, maxMailAge)
  let after: ReadonlyArray<string> | null = null
  for (;;) {
    const page: ReadonlyArray<Member> = yield* members.list({ limit: pageSize, after })
    for (const { email } of page.filter(isAddressed)) {
      yield* queueEmail(email, letterFrom(publicUrl), { audience: "users", expiresAt, sentBy })
    }
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = [last.id]
  }
})
