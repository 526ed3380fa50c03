/** A delivery of one change. */
export const delivery = (field: string, value: unknown) => ({
  object: "whatsapp_business_account",
  entry: [{ id: "100", changes: [{ field, value }] }]
})

const metadata = { display_phone_number: "15550783881", phone_number_id: "1065" }

/** A delivery of messages and receipts. */
export const messages = (value: object) => delivery("messages", { messaging_product: "whatsapp", metadata, ...value })

const contacts = [{ profile: { name: "Sheena", username: "opt" }, wa_id: "16505551234", user_id: "US.1349" }]

/** One message with this in it. */
export const inbound = (content: object) =>
  messages({
    contacts,
    messages: [{ from: "16505551234", from_user_id: "US.1349", id: "wamid.1", timestamp: "1749416383", ...content }]
  })

/** One receipt with this in it. */
export const receipt = (content: object) =>
  messages({
    statuses: [
      {
        id: "wamid.2",
        status: "sent",
        timestamp: "1749416383",
        recipient_id: "16505551234",
        recipient_user_id: "US.1349",
        biz_opaque_callback_data: "our-id",
        conversation: { id: "c", expiration_timestamp: "1749500000", origin: { type: "marketing" } },
        pricing: { billable: true, pricing_model: "PMP", category: "marketing", type: "regular" },
        ...content
      }
    ]
  })

const template = {
  message_template_id: 594_425_479_261_596,
  message_template_name: "order_left",
  message_template_language: "pt_BR"
}

/** One of each field that is known. */
export const templateStatus = (event: string, more: object = {}) =>
  delivery("message_template_status_update", { event, ...template, reason: "NONE", ...more })

export const others = {
  quality: delivery("message_template_quality_update", {
    previous_quality_score: "GREEN",
    new_quality_score: "YELLOW",
    ...template
  }),
  category: delivery("template_category_update", {
    ...template,
    previous_category: "UTILITY",
    new_category: "MARKETING"
  }),
  number: delivery("phone_number_quality_update", {
    display_phone_number: "15550783881",
    event: "FLAGGED",
    current_limit: "TIER_10K"
  }),
  capability: delivery("business_capability_update", { max_daily_conversations_per_business: 2_000 }),
  account: delivery("account_update", { event: "DISABLED_UPDATE", ban_info: { waba_ban_state: "DISABLE" } }),
  restriction: delivery("account_update", {
    event: "ACCOUNT_RESTRICTION",
    restriction_info: [{ restriction_type: "RESTRICTED_BIZ_INITIATED_MESSAGING", expiration: 1_749_500_000 }]
  }),
  preference: delivery("user_preferences", {
    metadata,
    user_preferences: [
      {
        wa_id: "16505551234",
        detail: "User requested to stop marketing messages",
        category: "marketing_messages",
        value: "stop",
        timestamp: 1_731_705_721
      }
    ]
  })
}

/** Real payloads, for mutation. */
export const samples: ReadonlyArray<unknown> = [
  inbound({ type: "text", text: { body: "hi" }, context: { id: "wamid.q" }, referral: { ctwa_clid: "x" } }),
  inbound({
    type: "order",
    order: {
      catalog_id: "1",
      text: "a",
      product_items: [{ product_retailer_id: "b", quantity: 1, item_price: 2.5, currency: "EUR" }]
    }
  }),
  inbound({ type: "edit", edit: { original_message_id: "a", message: { type: "text", text: { body: "b" } } } }),
  inbound({ type: "revoke", revoke: { original_message_id: "a" } }),
  delivery("smb_message_echoes", {
    metadata,
    message_echoes: [{ from: "1555", to: "16505551234", id: "a", timestamp: "1", type: "text", text: { body: "b" } }]
  }),
  inbound({ type: "image", image: { id: "1", mime_type: "image/png", sha256: "x", caption: "c" } }),
  inbound({
    type: "contacts",
    contacts: [{ name: { formatted_name: "A" }, phones: [{ phone: "+1", wa_id: "16505551234" }] }]
  }),
  inbound({ type: "interactive", interactive: { type: "list_reply", list_reply: { id: "a", title: "b" } } }),
  receipt({ status: "failed", errors: [{ code: 131_047, title: "x", error_data: { details: "d" } }] }),
  templateStatus("REJECTED", { reason: "ABUSIVE_CONTENT" }),
  ...Object.values(others)
]
