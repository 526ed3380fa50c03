import { Struct } from "effect"
import type { Timeline } from "../../Timeline.ts"
import { webhookError } from "../errorCodes.ts"
import type { SimulatedNumber } from "../Options.ts"
import { contactOf, type TellOfNumber } from "../values.ts"
import type { Customer, World } from "../World.ts"
import { checksIdentity, isRegistered } from "../world/NumberState.ts"
import type { ContentOf } from "./content.ts"
import type { CustomerMessage, Writing } from "./CustomerMessage.ts"
import type { Sending } from "../sending/sending.ts"

const serviceWindow = 24 * 3_600_000

const bodyError = Struct.omit(webhookError(131_000, "The message could not be processed."), ["href"])

/** Messages and other actions that do not open the window. */
const silent: ReadonlySet<string> = new Set(["edit", "revoke"])

const withoutNulls = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))

const contextOf = (number: SimulatedNumber, { forwarded, product, replyTo }: Writing): object => {
  const context = {
    ...(replyTo === undefined ? {} : { from: number.displayPhone, id: replyTo }),
    ...(forwarded === undefined ? {} : { [forwarded === "often" ? "frequently_forwarded" : "forwarded"]: true }),
    ...(product === undefined
      ? {}
      : {
          from: number.displayPhone,
          referred_product: { catalog_id: product.catalogId, product_retailer_id: product.productId }
        })
  }
  return Object.keys(context).length === 0 ? {} : { context }
}

/** Messages of customers, and messages of the business in the WhatsApp Business app. */
export const makeWriting = (
  world: World,
  timeline: Timeline,
  tell: TellOfNumber,
  contentOf: ContentOf,
  sending: Sending
) => {
  const seconds = () => String(Math.floor(timeline.now() / 1_000))

  const senderOf = (customer: Customer) => ({
    ...(customer.phone === null ? {} : { from: customer.phone }),
    from_user_id: customer.userId,
    ...(customer.parentUserId === null ? {} : { from_parent_user_id: customer.parentUserId })
  })

  const referralOf = (referral: Writing["referral"]) => ({
    referral: withoutNulls({
      source_url: "https://fb.me/parley",
      source_id: "120200000000000000",
      source_type: "ad",
      body: "Order today",
      headline: "Fresh bread",
      media_type: "image",
      image_url: "https://scontent.whatsapp.net/ad.jpg",
      ctwa_clid: `clid${world.next()}`,
      welcome_message: { text: "Hi! How can we help?" },
      ...referral
    })
  })

  const contactIn = (number: SimulatedNumber, customer: Customer) => ({
    ...contactOf(customer),
    ...(checksIdentity(world.stateOf(number)) ? { identity_key_hash: customer.identityHash } : {})
  })

  const openWindow = (number: SimulatedNumber, customer: Customer, writing: Writing) => {
    customer.windows.set(number.phoneId, timeline.now() + serviceWindow)
    if (writing.fromAdvertisement === true) {
      customer.entryPoints.set(number.phoneId, { at: timeline.now(), until: null })
    }
  }

  /** Sends a message of a customer to a number, which opens its window. A number that is not registered gets none. */
  const write = (
    number: SimulatedNumber,
    customer: Customer,
    message: CustomerMessage,
    writing: Writing = {}
  ): string => {
    const id = sending.newMessageId(message.type === "reaction", true)
    const state = world.stateOf(number)
    if (!isRegistered(state) || state.blocked.has(customer.userId)) return id
    // A message in a group opens no window for messages to its sender.
    if (!silent.has(message.type) && writing.groupId === undefined) openWindow(number, customer, writing)
    sending.countTraffic(number)
    const isHeld = customer.heldBy.has(number.phoneId)
    const value = {
      contacts: [contactIn(number, customer)],
      messages: [
        {
          ...senderOf(customer),
          ...(writing.groupId === undefined ? {} : { group_id: writing.groupId }),
          id,
          timestamp: seconds(),
          ...contentOf(number, customer, message),
          ...contextOf(number, writing),
          ...(writing.fromAdvertisement === true ? referralOf(writing.referral) : {})
        }
      ],
      ...(message.type === "broken" ? { errors: [bodyError] } : {})
    }
    tell(number, isHeld ? "standby" : "messages", isHeld ? { standby: value } : value)
    return id
  }

  return {
    write,
    /** Reports a system message. Only changes of identities have contacts. */
    system: (number: SimulatedNumber, sender: object, content: object, contact: Customer | null = null): string => {
      const id = sending.newMessageId(false, true)
      tell(number, "messages", {
        ...(contact === null ? {} : { contacts: [contactOf(contact)] }),
        messages: [{ ...sender, id, timestamp: seconds(), type: "system", ...content }]
      })
      return id
    },
    senderOf,
    /** Sends a message of the business through the WhatsApp Business app. */
    echo: (number: SimulatedNumber, customer: Customer, message: CustomerMessage): string => {
      const id = sending.newMessageId(false)
      tell(number, "smb_message_echoes", {
        contacts: [contactOf(customer)],
        message_echoes: [
          {
            from: number.displayPhone,
            ...(customer.phone === null ? {} : { to: customer.phone }),
            to_user_id: customer.userId,
            id,
            timestamp: seconds(),
            ...contentOf(number, customer, message)
          }
        ]
      })
      return id
    }
  }
}
export type WritingApi = ReturnType<typeof makeWriting>
