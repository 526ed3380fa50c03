import type { Act, CustomerMessage, RunningChatSimulator, Writing } from "@parley/simulators/chat"
import { Effect } from "effect"
import { pass } from "../harness.ts"
import { createTemplate, fact, post } from "./grounds.ts"

const { businessId, customer, phoneId } = fact
const parent = "US.ENT.11815799212886844830"
const data = Buffer.from("bytes").toString("base64")

type Scene = (provider: RunningChatSimulator) => Effect.Effect<void>

const replies: ReadonlyArray<CustomerMessage> = [
  { type: "text", text: "Yes, please" },
  { type: "button", text: "Unsubscribe", payload: "Unsubscribe" },
  { type: "interactive", reply: "button_reply", id: "cancel-button", title: "Cancel" },
  { type: "interactive", reply: "list_reply", id: "priority_mail", title: "Priority Mail" },
  { type: "interactive", reply: "list_reply", id: "express", title: "Express", description: "Next Day to 2 Days" },
  { type: "form", name: "flow", response: { flow_token: "token", rating: "4" } },
  { type: "form", name: "address_message", body: "Aditya", response: { values: { name: "Aditya" } } },
  { type: "call_permission", response: "reject" },
  { type: "call_permission", response: "accept" },
  { type: "location", latitude: 37.44, longitude: -122.16 }
]

const first: ReadonlyArray<CustomerMessage> = [
  { type: "image", data, mimeType: "image/jpeg", caption: "Taj Mahal" },
  { type: "video", data, mimeType: "video/mp4", caption: "Watch this" },
  { type: "audio", data, mimeType: "audio/mpeg" },
  { type: "audio", data, mimeType: "audio/ogg; codecs=opus", voice: true },
  { type: "document", data, mimeType: "application/pdf", caption: "The receipt", filename: "receipt.pdf" },
  { type: "sticker", data, mimeType: "image/webp", animated: true },
  { type: "location", latitude: 37.44, longitude: -122.16 },
  {
    type: "location",
    latitude: 37.44,
    longitude: -122.16,
    name: "Philz",
    address: "101 Forest Ave",
    url: "https://p.com"
  },
  {
    type: "contacts",
    contacts: [
      {
        name: { formatted_name: "Barbara J. Johnson", first_name: "Barbara", last_name: "Johnson" },
        org: { company: "Social Tsunami" },
        phones: [{ phone: "+1 (415) 555-0829", wa_id: "14125550829", type: "MOBILE" }],
        emails: [{ email: "bjohnson@example.com", type: "WORK" }],
        addresses: [
          {
            street: "1 Lucky Shrub Way",
            city: "Menlo Park",
            state: "CA",
            zip: "94025",
            country: "United States",
            country_code: "US",
            type: "HOME"
          }
        ],
        urls: [{ url: "https://www.luckyshrub.com", type: "WORK" }],
        birthday: "1999-01-23"
      }
    ]
  },
  {
    type: "order",
    catalogId: "1",
    text: "Love these!",
    items: [{ productId: "a", quantity: 2, price: 30, currency: "USD" }]
  },
  { type: "request_welcome" },
  { type: "unsupported" },
  { type: "unsupported", kind: "poll" },
  { type: "unsupported", code: 131_052 },
  { type: "unsupported", code: 131_060 },
  { type: "broken", kind: "text" }
]

const videoReferral = {
  source_type: "post",
  media_type: "video",
  image_url: null,
  welcome_message: null,
  video_url: "https://video.xx.fbcdn.net/1.mp4",
  thumbnail_url: "https://scontent.xx.fbcdn.net/1.jpg"
}

const writings: ReadonlyArray<Writing> = [
  { fromAdvertisement: true },
  { fromAdvertisement: true, referral: { ctwa_clid: null } },
  { fromAdvertisement: true, referral: videoReferral },
  { forwarded: "once" },
  { forwarded: "often" }
]

const messages: Scene = (provider) =>
  Effect.sync(() => {
    const write = (message: CustomerMessage, more?: Writing) => provider.write(phoneId, customer, message, more)
    const hi = { type: "text", text: "hi" } as const
    const id = write(hi)
    for (const message of first) write(message)
    for (const message of replies) write(message, { replyTo: id })
    for (const writing of writings) write(hi, writing)
    write(hi, { replyTo: id, product: { catalogId: "1", productId: "a" } })
    for (const emoji of ["👍", ""]) write({ type: "reaction", to: id, emoji })
    write({ type: "edit", of: id, text: "Does it come in green?" })
    const caption = {
      caption: "Agra",
      mime_type: "image/jpeg",
      sha256: "S",
      id: "1",
      url: "https://lookaside.fbsbx.com/1"
    }
    write({ type: "edit", of: id, message: { type: "image", image: caption } })
    write({ type: "revoke", of: id })
  })

const people: Scene = (provider) =>
  Effect.sync(() => {
    const nobody = provider.addCustomer(null, "Sheena Nelson")
    const hi = { type: "text", text: "hi" } as const
    provider.act({ act: "set_customer", customer: nobody, username: "sheena" })
    provider.write(phoneId, nobody, { type: "shared_phone", phone: "+16505550001" })
    const other = provider.addCustomer(null, "Sheena Nelson")
    provider.act({ act: "set_customer", customer: other, username: "sheena2", parentUserId: parent })
    provider.write(phoneId, other, hi)
    provider.act({ act: "change_user_id", phoneId, customer: other })
    provider.act({ act: "set_customer", customer: "16505550004", username: "third", parentUserId: parent })
    provider.write(phoneId, "16505550004", hi)
    provider.act({ act: "set_customer", customer: "16505550002", parentUserId: parent })
    for (const marketing of ["stop", "resume"] as const) provider.prefer(phoneId, "16505550002", marketing)
    provider.act({ act: "call_status", phoneId, customer: "16505550002", id: "wacid.1", status: "RINGING" })
    provider.write(phoneId, "16505550003", hi)
    provider.act({ act: "change_number", phoneId, customer: "16505550003", phone: "12195555358" })
    provider.act({ act: "change_identity", phoneId, customer })
    provider.act({ act: "value_error", phoneId, code: 130_429, details: "Too many messages." })
    provider.act({
      act: "payment",
      phoneId,
      customer,
      messageId: "wamid.1",
      reference: "o",
      status: "captured",
      value: 21_000
    })
  })

const calls: Scene = (provider) =>
  Effect.sync(() => {
    const call = { act: "call", phoneId, customer } as const
    provider.act({ ...call, direction: "USER_INITIATED", ended: null, payload: "order-0042" })
    provider.act({ ...call, direction: "BUSINESS_INITIATED", ended: null })
    provider.act({ ...call, direction: "USER_INITIATED", ended: { status: "COMPLETED", seconds: 120 } })
    provider.act({ ...call, direction: "USER_INITIATED", ended: { status: "FAILED", seconds: 0 } })
    for (const status of ["RINGING", "ACCEPTED", "REJECTED"] as const) {
      provider.act({ act: "call_status", phoneId, customer, id: "wacid.1", status })
    }
  })

const groups: Scene = (provider) =>
  Effect.gen(function* () {
    const groupId = provider.act({ act: "create_group", phoneId, subject: "New arrivals" }) ?? ""
    for (const member of [customer, "16505559999"])
      provider.act({ act: "join_group", phoneId, customer: member, groupId })
    provider.write(phoneId, customer, { type: "text", text: "Good morning, all" }, { groupId })
    const text = {
      messaging_product: "whatsapp",
      recipient_type: "group",
      to: groupId,
      type: "text",
      text: { body: "Hi" }
    }
    yield* post(provider, `/${phoneId}/messages`, text)
    yield* pass(provider, 1_000)
    const event = (name: string, details?: Readonly<Record<string, unknown>>) =>
      provider.act({ act: "group_event", phoneId, groupId, event: name, ...(details === undefined ? {} : { details }) })
    const joining = { join_request_id: "jr_0001", wa_id: customer }
    event("group_join_request_created", joining)
    event("group_join_request_revoked", joining)
    event("group_suspend")
    event("group_suspend_cleared")
    yield* post(provider, `/${groupId}`, { subject: "Autumn arrivals" })
    const headers = { "content-type": "application/json" }
    const body = JSON.stringify({ messaging_product: "whatsapp", participants: [{ user: customer }] })
    const authorization = `Bearer ${fact.token}`
    yield* Effect.promise(() =>
      fetch(`${provider.url}/${groupId}/participants`, {
        method: "DELETE",
        body,
        headers: { ...headers, authorization }
      })
    )
    provider.act({ act: "delete_group", phoneId, groupId })
  })

const message = (id: string, more: object = {}) => ({
  from: customer,
  id,
  timestamp: "1739230970",
  type: "text",
  text: { body: "Thanks!" },
  ...more
})

const coexistence: Scene = (provider) =>
  Effect.sync(() => {
    const { phone, ...contact } = { phone: customer, fullName: "Pablo Morales", firstName: "Pablo" }
    provider.act({ act: "sync_contacts", phoneId, contacts: [{ phone, ...contact }] })
    provider.act({ act: "sync_contacts", phoneId, contacts: [{ phone, action: "remove" }] })
    const chunk = { act: "history", phoneId, phase: 0, order: 1, progress: 55 } as const
    const placeholder = { ...message("wamid.3"), type: "media_placeholder" }
    const threads = [
      {
        phone: customer,
        messages: [
          message("wamid.1", { from: fact.displayPhone, to: customer }),
          message("wamid.2"),
          withoutText(placeholder)
        ]
      }
    ]
    provider.act({ ...chunk, threads })
    provider.act({
      ...chunk,
      phase: 2,
      threads: [{ phone: customer, messages: [message("wamid.4", { history_context: { status: "DELIVERED" } })] }]
    })
    const image = { mime_type: "image/jpeg", sha256: "J", id: "1003383421387400" }
    const media = { from: customer, to: fact.displayPhone, id: "wamid.3", timestamp: "1", type: "image", image }
    provider.act({ act: "history_media", phoneId, messages: [media] })
    provider.act({ act: "decline_history", phoneId })
    const id = provider.echo(phoneId, customer, { type: "text", text: "Here's the info you requested!" })
    provider.echo(phoneId, customer, { type: "image", data, mimeType: "image/jpeg", caption: "Our shop" })
    provider.echo(phoneId, customer, { type: "edit", of: id, text: "Here is the info" })
    provider.echo(phoneId, customer, { type: "revoke", of: id })
  })

const withoutText = ({ text: _text, ...rest }: ReturnType<typeof message>) => rest

const account = { businessId }

const restriction = (type: string, expiration: number | string | null = 1_641_330_498, remediation?: string) => ({
  type,
  expiration,
  ...(remediation === undefined ? {} : { remediation })
})

const accountActs: ReadonlyArray<Act> = [
  ...(["PARTNER_ADDED", "PARTNER_REMOVED", "PARTNER_APP_INSTALLED", "PARTNER_APP_UNINSTALLED"] as const).map(
    (event): Act => ({ act: "partner", ...account, event })
  ),
  { act: "partner", ...account, event: "MM_LITE_TERMS_SIGNED" },
  { act: "partner", ...account, event: "AD_ACCOUNT_LINKED" },
  {
    act: "partner",
    ...account,
    event: "PARTNER_REMOVED",
    disconnection: { reason: "PRIMARY_INACTIVITY", initiatedBy: "SYSTEM" }
  },
  { act: "coexistence_removed", phoneId },
  ...(["ACCOUNT_OFFBOARDED", "ACCOUNT_RECONNECTED", "ACCOUNT_DELETED"] as const).map((event): Act => ({
    act: "account_update",
    ...account,
    value: { event }
  })),
  {
    act: "account_update",
    ...account,
    value: { event: "ACCOUNT_VIOLATION", violation_info: { violation_type: "ADULT" } }
  },
  { act: "account_update", ...account, value: { event: "BUSINESS_PRIMARY_LOCATION_COUNTRY_UPDATE", country: "IN" } },
  {
    act: "account_update",
    ...account,
    value: {
      event: "VOLUME_BASED_PRICING_TIER_UPDATE",
      volume_tier_info: {
        tier_update_time: 1_743_451_903,
        pricing_category: "UTILITY",
        tier: "25000001:50000000",
        effective_month: "2025-11",
        region: "India"
      }
    }
  },
  {
    act: "account_update",
    ...account,
    value: {
      event: "AUTH_INTL_PRICE_ELIGIBILITY_UPDATE",
      auth_international_rate_eligibility: {
        start_time: 1_751_347_426,
        exception_countries: [{ country_code: "IN", start_time: 1_751_347_426 }]
      }
    }
  },
  ...(["DISABLE", "SCHEDULE_FOR_DISABLE", "REINSTATE"] as const).map((state): Act => ({
    act: "ban",
    ...account,
    state
  })),
  { act: "restrict", ...account, restrictions: [restriction("RESTRICTED_BIZ_INITIATED_MESSAGING")] },
  {
    act: "restrict",
    ...account,
    restrictions: [restriction("RESTRICTED_BIZ_INITIATED_MESSAGING", "2024-04-19T13:59:20+0000")]
  },
  {
    act: "restrict",
    ...account,
    restrictions: [
      restriction("RESTRICTED_BIZ_INITIATED_MESSAGING"),
      restriction("RESTRICTED_ADD_PHONE_NUMBER_ACTION", null)
    ]
  },
  {
    act: "restrict",
    ...account,
    restrictions: [restriction("RESTRICTED_USER_INITIATED_CALLING")],
    phoneNumber: fact.displayPhone
  },
  {
    act: "restrict",
    ...account,
    restrictions: [restriction("RESTRICTED_UTILITY_TEMPLATES", 1_641_330_498, "Review the categories.")],
    violation: "UTILITY_TEMPLATE_MISUSE"
  },
  { act: "restrict", ...account, restrictions: [] },
  ...(["APPROVED", "REJECTED", "PENDING", "DEFERRED"] as const).map((decision): Act => ({
    act: "review",
    ...account,
    decision
  })),
  { act: "review", ...account, decision: "APPROVED" },
  ...([250, 2_000, "TIER_2K", "TIER_UNLIMITED"] as const).map((limit): Act => ({ act: "limit", ...account, limit }))
]

const numberActs: ReadonlyArray<Act> = [
  { act: "number_quality", phoneId, event: "ONBOARDING" },
  { act: "number_quality", phoneId, event: "DOWNGRADE" },
  { act: "number_quality", phoneId, event: "THROUGHPUT_UPGRADE" },
  { act: "number_name", phoneId, decision: "APPROVED" },
  { act: "number_name", phoneId, decision: "REJECTED", reason: "NAME_EMPLOYEE_ISSUE" },
  { act: "number_name", phoneId, decision: "APPROVED" },
  ...(["PIN_CHANGED", "PIN_RESET_REQUEST", "PIN_REQUEST_SUCCESS"] as const).map((event): Act => ({
    act: "security",
    phoneId,
    event
  })),
  ...(["approved", "reserved", "deleted"] as const).map((status): Act => ({
    act: "username",
    phoneId,
    username: "luckyshrub",
    status
  }))
]

const accounts: Scene = (provider) =>
  Effect.sync(() => {
    for (const act of [...accountActs, ...numberActs]) provider.act(act)
  })

const decisions = [
  "APPROVED",
  "ARCHIVED",
  "UNARCHIVED",
  "DISABLED",
  "FLAGGED",
  "IN_APPEAL",
  "LIMIT_EXCEEDED",
  "LOCKED",
  "UNLOCKED",
  "PENDING",
  "REINSTATED",
  "PENDING_DELETION",
  "DELETED"
]

const templates: Scene = (provider) =>
  Effect.gen(function* () {
    const named = { businessId, language: "en_US" }
    const buttons = [
      { type: "URL", text: "View order", url: "https://www.luckyshrub.com/orders/{{1}}", example: ["1"] },
      { type: "PHONE_NUMBER", text: "Call", phone_number: "+15550783881" }
    ]
    yield* createTemplate(provider, "whole", {
      components: [
        { type: "HEADER", format: "TEXT", text: "Your order is confirmed!" },
        { type: "BODY", text: "Thank you!" },
        { type: "FOOTER", text: "Lucky Shrub" },
        { type: "BUTTONS", buttons }
      ]
    })
    const template = { ...named, name: "whole" }
    provider.act({ act: "template_components", ...template })
    provider.act({ act: "template_category", ...template, category: "MARKETING", isAnnounced: true })
    provider.act({ act: "template_category", ...template, category: "MARKETING" })
    for (const score of ["GREEN", "YELLOW", "RED"] as const)
      provider.act({ act: "template_quality", ...template, score })
    yield* pass(provider, 4 * 3_600_000)
    provider.act({ act: "template_quality", ...template, score: "RED" })
    provider.decide(businessId, "whole", "en_US", "REJECTED", "INVALID_FORMAT")
    provider.decide(businessId, "whole", "en_US", "REJECTED", "INCORRECT_CATEGORY")
    provider.decide(businessId, "whole", "en_US", "APPROVED")
    provider.act({ act: "pause_by_pacing", ...template })
    yield* createTemplate(provider, "decided", {}, "PENDING")
    for (const event of decisions) provider.decide(businessId, "decided", "en_US", event)
    provider.decide(businessId, "whole", "en_US", "APPROVED")
    provider.act({ act: "template_quality", ...template, score: "RED" })
  })

const text = { messaging_product: "whatsapp", to: `+${customer}`, type: "text", text: { body: "Hello" } }

const receipts: Scene = (provider) =>
  Effect.gen(function* () {
    const send = (more: object) =>
      Effect.andThen(post(provider, `/${phoneId}/messages`, { ...text, ...more }), pass(provider, 1_000))
    const id = provider.write(phoneId, customer, { type: "text", text: "Hi" })
    yield* createTemplate(provider, "quick_replies")
    const news = { type: "template", text: undefined, template: { name: "quick_replies", language: { code: "en_US" } } }
    yield* send({})
    yield* send(news)
    yield* send({ ...news, biz_opaque_callback_data: "campaign-42/recipient-7" })
    yield* send({ type: "reaction", text: undefined, reaction: { message_id: id, emoji: "😀" } })
    yield* send({ type: "audio", text: undefined, audio: { link: "https://www.luckyshrub.com/a.ogg", voice: true } })
    provider.act({ act: "set_customer", customer, pricedReceipt: "read" })
    yield* send(news)
    provider.act({ act: "set_customer", customer, pricedReceipt: "delivered" })
    provider.misbehave({ on: "messages", what: { kind: "fail_receipt", code: 131_049 } })
    yield* send({})
    yield* post(provider, `/${phoneId}/settings`, { user_identity_change: { enable_identity_key_check: true } })
    provider.act({ act: "set_customer", customer, pricedReceipt: "read" })
    provider.write(phoneId, customer, { type: "text", text: "hello" })
    yield* send({})
    yield* post(provider, `/${phoneId}/settings`, { user_identity_change: { enable_identity_key_check: false } })
    provider.act({ act: "set_customer", customer, pricedReceipt: "delivered" })
    provider.write(phoneId, customer, { type: "text", text: "Hi" }, { fromAdvertisement: true })
    yield* send({})
  })

const receiptsOfUsers: Scene = (provider) =>
  Effect.gen(function* () {
    const send = (more: object) =>
      Effect.andThen(post(provider, `/${phoneId}/messages`, { ...text, to: undefined, ...more }), pass(provider, 1_000))
    const nobody = provider.addCustomer(null, "Pablo Morales")
    const id = provider.write(phoneId, nobody, { type: "text", text: "Hi" })
    yield* send({ recipient: nobody, type: "reaction", text: undefined, reaction: { message_id: id, emoji: "😀" } })
    provider.misbehave({ on: "messages", what: { kind: "fail_receipt", code: 131_026 } })
    yield* send({ recipient: nobody })
    provider.act({
      act: "set_customer",
      customer: "16505550009",
      username: "pablo",
      parentUserId: parent,
      pricedReceipt: "read"
    })
    provider.write(phoneId, "16505550009", { type: "text", text: "Hi" })
    yield* send({ to: "+16505550009" })
  })

/** What happens at the provider, one part of its webhooks each. */
export const scenes = { messages, people, calls, groups, coexistence, accounts, templates, receipts, receiptsOfUsers }
