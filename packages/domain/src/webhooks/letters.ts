import { harmless, type Letter } from "../mail/index.ts"
import type { DisabledReason, WebhookSubscription } from "./WebhookSubscription.ts"

const linkOf = (publicUrl: string) => ({
  label: "Read how deliveries are tried again",
  url: `${publicUrl}/docs/guides/webhooks#webhooks-out`
})

/** The mail about a receiver that has failed for a day. */
export const failingLetter = ({ name }: WebhookSubscription, publicUrl: string): Letter => ({
  subject: `Your webhook ${harmless(name)} has been failing for a day`,
  before: [
    `For 24 hours no event could be delivered to your webhook “${harmless(name)}” on Parley.`,
    "It is still being tried. After five days without a success nothing will be sent to it any more.",
    "Its deliveries say what went wrong:"
  ],
  link: linkOf(publicUrl),
  after: ["You get this mail because you are an owner or an admin of the organization."]
})

const why: Readonly<Record<Exclude<DisabledReason, "manual">, string>> = {
  gone: "The receiver has answered that it is gone (410).",
  failing: "For five days nothing could be delivered to it."
}

/** The mail about a subscription that was disabled. */
export const disabledLetter = (
  { name }: WebhookSubscription,
  reason: Exclude<DisabledReason, "manual">,
  publicUrl: string
): Letter => ({
  subject: `Your webhook ${harmless(name)} is disabled`,
  before: [
    `Nothing is delivered to your webhook “${harmless(name)}” on Parley any more. ${why[reason]}`,
    "Enable it once the receiver works again, and replay what it has missed:"
  ],
  link: linkOf(publicUrl),
  after: ["You get this mail because you are an owner or an admin of the organization."]
})
