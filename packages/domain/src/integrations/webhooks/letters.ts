import type { Feature } from "../../kernel/index.ts"
import { harmless, type Letter } from "../../platform/mail/index.ts"
import type { DisabledReason } from "./WebhookSubscription.ts"

/** Who is written about: a subscription by its name, and the feature whose it is, where people know it by that. */
export interface Receiver {
  readonly name: string
  readonly feature: Feature | null
}

/** What people call it, where they read of it, and what they can do once it works again. */
const wordsOf = ({ feature, name }: Receiver) =>
  feature === "plugins"
    ? {
        called: `plugin ${harmless(name)}`,
        quoted: `plugin “${harmless(name)}”`,
        guide: "plugins#token-and-events",
        remedy: "Enable it once it works again: it gets a new token, and what happens from then on."
      }
    : {
        called: `webhook ${harmless(name)}`,
        quoted: `webhook “${harmless(name)}”`,
        guide: "webhooks#webhooks-out",
        remedy: "Enable it once the receiver works again, and replay what it has missed:"
      }

const linkTo = (guide: string, publicUrl: string) => ({
  label: "Read how deliveries are tried again",
  url: `${publicUrl}/docs/guides/${guide}`
})

const after = ["You get this mail because you are an owner or an admin of the organization."]

/** The mail about a receiver that has failed for a day. */
export const failingLetter = (receiver: Receiver, publicUrl: string): Letter => {
  const { called, guide, quoted } = wordsOf(receiver)
  return {
    subject: `Your ${called} has been failing for a day`,
    before: [
      `For 24 hours no event could be delivered to your ${quoted} on Parley.`,
      "It is still being tried. After five days without a success nothing will be sent to it any more.",
      "Its deliveries say what went wrong:"
    ],
    link: linkTo(guide, publicUrl),
    after
  }
}

const why: Readonly<Record<Exclude<DisabledReason, "manual">, string>> = {
  gone: "The receiver has answered that it is gone (410).",
  failing: "For five days nothing could be delivered to it."
}

/** The mail about a receiver that gets nothing any more. */
export const disabledLetter = (
  receiver: Receiver,
  reason: Exclude<DisabledReason, "manual">,
  publicUrl: string
): Letter => {
  const { called, guide, quoted, remedy } = wordsOf(receiver)
  return {
    subject: `Your ${called} is disabled`,
    before: [`Nothing is delivered to your ${quoted} on Parley any more. ${why[reason]}`, remedy],
    link: linkTo(guide, publicUrl),
    after
  }
}
