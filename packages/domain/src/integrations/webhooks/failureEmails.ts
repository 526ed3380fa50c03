import { DateTime, Duration, Effect } from "effect"
import { CurrentOrganization, type Feature } from "../../kernel/index.ts"
import { type Member, Members } from "../../platform/identity/index.ts"
import { escapeForMail, type EmailTemplate, MailSettings, queueEmail } from "../../platform/mail/index.ts"
import type { DisabledReason } from "./WebhookSubscription.ts"

/** Who is written about: a subscription by its name, and the feature whose it is, where people know it by that. */
export interface Receiver {
  readonly name: string
  readonly feature: Feature | null
}

/** What people call it, where they read of it, and what they can do once it works again. */
const emailWording = ({ feature, name }: Receiver) =>
  feature === "plugins"
    ? {
        called: `plugin ${escapeForMail(name)}`,
        quoted: `plugin “${escapeForMail(name)}”`,
        guide: "plugins#token-and-events",
        remedy: "Enable it once it works again: it gets a new token, and what happens from then on."
      }
    : {
        called: `webhook ${escapeForMail(name)}`,
        quoted: `webhook “${escapeForMail(name)}”`,
        guide: "webhooks#webhooks-out",
        remedy: "Enable it once the receiver works again, and replay what it has missed:"
      }

const linkTo = (guide: string, publicUrl: string) => ({
  label: "Read how deliveries are tried again",
  url: `${publicUrl}/docs/guides/${guide}`
})

const closingLines = ["You get this mail because you are an owner or an admin of the organization."]

/** The mail about a receiver that has failed for a day. */
export const buildEndpointFailingEmail = (receiver: Receiver, publicUrl: string): EmailTemplate => {
  const { called, guide, quoted } = emailWording(receiver)
  return {
    subject: `Your ${called} has been failing for a day`,
    before: [
      `For 24 hours no event could be delivered to your ${quoted} on Parley.`,
      "It is still being tried. After five days without a success nothing will be sent to it any more.",
      "Its deliveries say what went wrong:"
    ],
    link: linkTo(guide, publicUrl),
    after: closingLines
  }
}

const disabledExplanations: Readonly<Record<Exclude<DisabledReason, "manual">, string>> = {
  gone: "The receiver has answered that it is gone (410).",
  failing: "For five days nothing could be delivered to it."
}

/** The mail about a receiver that gets nothing any more. */
export const buildEndpointDisabledEmail = (
  receiver: Receiver,
  reason: Exclude<DisabledReason, "manual">,
  publicUrl: string
): EmailTemplate => {
  const { called, guide, quoted, remedy } = emailWording(receiver)
  return {
    subject: `Your ${called} is disabled`,
    before: [`Nothing is delivered to your ${quoted} on Parley any more. ${disabledExplanations[reason]}`, remedy],
    link: linkTo(guide, publicUrl),
    after: closingLines
  }
}

const pageSize = 100

/** A mail that could not be sent for so long tells nothing new. */
const maxMailAge = Duration.days(1)

const isAddressed = ({ role, status }: Member) => status === "active" && (role === "owner" || role === "admin")

/** Writes to all owners and admins, in the unit of work of what it tells about. A service that sends no mail tells nobody. */
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
