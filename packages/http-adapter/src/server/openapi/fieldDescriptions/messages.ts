import type { FieldDescriptions } from "./FieldDescriptions.ts"
import { interactiveFields, sharedContactFields, sharedPhoneFields, within } from "./messageContents.ts"

/** Descriptions of the fields of messages, files and their events, by component or event, and path. */
export const messagesFields: FieldDescriptions = {
  ExportedMedia: {
    url: "Path for the download of the file, `/api/v1/media/{id}` with its id."
  },
  FoundMessage: {
    message: "Message that contains the search terms.",
    snippet: "Excerpt of the message around the first match.",
    conversation: "Conversation of the message.",
    "conversation.id": "Id of the conversation.",
    "conversation.contact": "Contact of the conversation, in brief."
  },
  Media: {
    id: "Id of the file, for downloads and as `mediaId` of messages.",
    kind: "Kind of message that has the file, or can be sent with it.",
    mimeType: "MIME type of the file, for example `image/jpeg`.",
    filename: "Name of the file; null if it has none.",
    size: "Size of the file in bytes; null until Parley has stored the file."
  },
  Message: {
    raw: "Content as the provider delivered it, for kinds that Parley does not know.",
    direction: "`inbound` messages are from the contact, `outbound` ones from the organization.",
    kind: "Kind, which decides which fields have values; notices and calls are `system`, unknown kinds `unsupported`.",
    text: "Text, caption, emoji, rendered body, tapped title, comment of an order, or notice; null without text.",
    media: "File of the message; null for kinds without one.",
    template: "Message template with its values; null for other kinds.",
    interactive: "Elements of an outgoing message, or the contact's choice (`type` is `reply`); null for other kinds.",
    ...within("interactive", interactiveFields),
    location: "Shared place; null for other kinds.",
    contacts: "Shared people; null for other kinds.",
    order: "Order of the contact from the catalogue of the number; null for other kinds.",
    referral: "Advertisement or post that led the contact to this message; null without one.",
    details: "Further data of the message, as far as the provider reports it; null without any.",
    replyToId:
      "Id of the message that this one answers, reacts to, edits or revokes; null without one, or until it arrives.",
    author: "Author of the message.",
    status:
      "`received` if incoming, otherwise the progress from `queued`; `in_doubt` if the provider's answer was lost.",
    error: "Reason for the failure of a message, or for the wait of a queued one; null otherwise.",
    pricing: "Price information of the provider for an outgoing message; null until the provider reports it.",
    providerMessageId: "Id of the message at the provider; null until the provider has accepted it.",
    at: "Time of writing in UTC; for incoming messages by the provider's clock.",
    sentAt: "Time at which the provider accepted the message in UTC; null before that, and for incoming messages.",
    deliveredAt: "Time at which the message reached the contact in UTC; null before that, and for incoming messages.",
    readAt: "Time at which the contact first read the message in UTC; null before that, and for incoming messages.",
    playedAt: "Time at which the contact first played the voice message in UTC; null before that.",
    failedAt: "Time of the failure in UTC; null if the message has not failed.",
    editedAt: "Time of the last edit in UTC; the new text is in a message of the kind `edit`. Null without edits.",
    revokedAt: "Time at which the author deleted the message in the chat, in UTC; null if it was not deleted.",
    createdAt: "Time at which Parley stored the message in UTC."
  },
  MessageAuthor: {
    kind: "`token` can be a plugin, `automation` a workflow or the service; `phone_app` is the provider's phone app.",
    id: "Id of the author, for `phone_app` of the chat account; a name for operators and the service."
  },
  MessageCost: {},
  MessageDetails: {
    "product.catalogId": "Id of the catalogue at the provider; null if the provider does not report it.",
    "product.productId": "Retailer's id of the product in the catalogue.",
    "call.callId": "Id of the call at the provider.",
    "call.direction": "`user_initiated` calls are from the contact, `business_initiated` ones from the organization.",
    "call.event": "Event or status in the provider's terms, for example `connect`, `terminate` or `ringing`.",
    "call.status": "Status of the call in the provider's terms; null if the provider does not report it.",
    "call.durationSeconds": "Duration of the call in seconds; null if the provider does not report it.",
    "payment.status": "Status in the provider's terms: `captured`, `pending` or `failed`.",
    "payment.referenceId": "Reference of the order, the `referenceId` that was sent; null if it is not reported.",
    "payment.amount": "Paid amount; null if the provider does not report it.",
    "payment.amount.value": "Amount as a multiple of `offset`, for example 21000 for 210.00 with the offset 100.",
    "payment.amount.offset": "Divisor of `value`, for example 100.",
    "payment.currency": "Currency as an ISO 4217 code, for example `INR`; null if the provider does not report it.",
    "payment.transaction": "Transaction at the payment service; null if the provider does not report it.",
    "payment.transaction.id": "Id of the transaction at the payment service; null without one.",
    "payment.transaction.type": "Payment service of the transaction, for example `razorpay`; null without one.",
    "payment.transaction.status": "Status of the transaction in the terms of the payment service; null without one.",
    "payment.at": "Time of the report in UTC, in ISO 8601."
  },
  MessageError: {
    code: "Code of the error for programs, for example `service_window_closed`, `recipient_busy` or `refused`.",
    providerCode: "Error code of the provider; null if the error has none.",
    reason: "Explanation of the error for people."
  },
  MessageMedia: {
    id: "Id of the file; download it at `GET /media/{id}`.",
    mimeType: "MIME type of the file, for example `image/jpeg`.",
    filename: "Name of the file; null if it has none."
  },
  MessageNotRetryableProblem: {
    messageStatus: "Status of the message; only `failed` can be retried, and `in_doubt` with `allowDuplicate`."
  },
  MessageOrder: {
    catalogId: "Id of the catalogue at the provider; null if the provider does not report it.",
    items: "Ordered products.",
    "items.productId": "Retailer's id of the product in the catalogue.",
    "items.quantity": "Ordered quantity of the product.",
    "items.price": "Price of one unit that the contact saw; null if the provider reports no valid price.",
    "items.price.amountMinor": "Price of one unit in minor units of the currency."
  },
  MessagePricing: {
    billable: "Whether the provider charges for the message; null if it does not report it.",
    model: "Pricing model in the provider's terms; null if the provider does not report it.",
    category: "Pricing category in the provider's terms, for example `marketing`; null if it is not reported.",
    type: "Pricing type in the provider's terms, for example `free_entry_point`; null if it is not reported.",
    freeEntryPointExpiresAt: "End of the free entry point of the message in UTC; null outside of one.",
    at: "Time of the report in UTC."
  },
  MessageRetry: {
    allowDuplicate: "Whether a message in doubt is sent again although the contact can get it twice. Default: false.",
    recipient: "Identity of the contact that gets the message. Default: the recipient of the earlier attempt."
  },
  NewMessage: {
    kind: "Kind, which decides the other fields; only `template` can be sent outside the service window.",
    text: "Text of the message, 1 to 4,096 characters.",
    recipient: "Identity of the contact that gets this and later messages. Default: the recipient of the conversation.",
    replyToId:
      "Id of the message that this one answers, or that a reaction is about; it must have an id at the provider.",
    caption: "Text below the file, 1 to 1,024 characters; not for audio and stickers. Default: none.",
    interactive: "Interactive elements of the message.",
    location: "Place to share.",
    "location.latitude": "Latitude in degrees, -90 to 90.",
    "location.longitude": "Longitude in degrees, -180 to 180.",
    "location.name": "Name of the place. Default: none.",
    "location.address": "Address of the place. Default: none.",
    contacts: "People to share, 1 to 257.",
    ...within("contacts", sharedContactFields),
    "contacts.phones.type": sharedPhoneFields.type,
    "contacts.phones.waId": sharedPhoneFields.waId,
    emoji: "Emoji of the reaction; an empty text removes the reaction.",
    template: "Approved message template of the number, by `id` or by `name` and `language`, with its values.",
    "template.id": "Id of the message template.",
    "template.name": "Name of the message template.",
    "template.language": "Language of the message template, for example `en` or `pt_BR`.",
    "template.values":
      "Values of the variables by key, for example `body.first_name`; all variables are required. Default: none."
  },
  Place: {
    latitude: "Latitude in degrees, -90 to 90.",
    longitude: "Longitude in degrees, -180 to 180.",
    name: "Name of the place; null without one.",
    address: "Address of the place; null without one."
  },
  Recipient: {
    kind: "`phone` is a phone number, `chat_user` the provider's id of a person, `external` an id in another system.",
    value: "Phone number with a plus, or the id."
  },
  RecipientChoice: {
    kind: "Kind of the identity, which must belong to the contact and be reachable over the number.",
    value: "The provider's id of the person, or the id in another system."
  },
  RecipientReassignedProblem: {
    contactId: "Id of the contact that has the identity now; null if that person has not written yet.",
    kind: "Kind of the identity that now belongs to another person."
  },
  Referral: {
    sourceType: "Type of the source in the provider's terms, for example `ad`; null if not reported.",
    sourceId: "Id of the advertisement or post at the provider; null if not reported.",
    sourceUrl: "URL of the advertisement or post; null if not reported.",
    headline: "Headline of the advertisement or post; null if not reported.",
    body: "Text of the advertisement or post; null if not reported.",
    mediaType: "Type of its picture or video in the provider's terms; null if not reported.",
    mediaUrl: "URL of its picture, video or thumbnail at the provider; null if not reported.",
    clickId: "Id of the click at the provider; null if not reported.",
    welcomeText: "Text that the provider showed to the contact before the message; null if not reported."
  },
  SingleMessageCost: {},
  Snippet: {
    text: "Plain text of at most 160 UTF-16 code units on one line.",
    matches: "Positions of the search terms in the text."
  },
  SnippetMatch: {
    start: "Start of the match in UTF-16 code units, from 0.",
    end: "End of the match in UTF-16 code units, exclusive."
  },
  UnsupportedByChannelProblem: {
    provider: "Provider of the chat account, for example `whatsapp`.",
    need: "Unsupported capability, for example `templates`, or an unsupported kind of message."
  },
  "message.echoed": {
    "data.kind": "Kind of the message that the business wrote in the provider's phone app."
  },
  "message.queued": {
    "data.kind": "Kind of the queued message."
  },
  "message.received": {
    "data.kind": "Kind of the received message; `system` is a notice or a call, not a message of the contact.",
    "data.awaits": "`begins` if the contact now waits for an answer; absent if the contact already waits or needs none."
  },
  "message.status_changed": {
    "data.from": "Status before the change.",
    "data.to": "Status after the change."
  },
  "message.updated": {
    "data.fields": "Names of the changed fields: `details`, `error`, `pricing`, `playedAt`, `sentAt` or `failedAt`."
  }
}
