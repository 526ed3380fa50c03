import type { CarouselCard, Interactive, InteractiveHeader, InteractiveOf } from "@parley/domain/messaging"
import { orderDetails, orderStatus, productCarousel, productList } from "./outgoingCommerce.ts"

const text = (value: string) => ({ text: value })

const headerOut = (header: InteractiveHeader) => {
  if (header.type === "text") return header
  const filename = header.type === "document" && header.filename !== undefined ? { filename: header.filename } : {}
  return { type: header.type, [header.type]: { id: header.mediaId, ...filename } }
}

const reply = (type: "reply" | "quick_reply", { id, title }: { readonly id: string; readonly title: string }) => ({
  type,
  [type]: { id, title }
})

const linkAction = ({ label, url }: { readonly label: string; readonly url: string }) => ({
  name: "cta_url",
  parameters: { display_text: label, url }
})

const flow = ({ action, data, flow, label, mode = "published", screen, token }: InteractiveOf<"flow">) => ({
  name: "flow",
  parameters: {
    flow_message_version: "3",
    flow_token: token,
    ...("id" in flow ? { flow_id: flow.id } : { flow_name: flow.name }),
    flow_cta: label,
    mode,
    flow_action: action,
    ...(screen !== undefined && { flow_action_payload: { screen, ...(data !== undefined && { data }) } })
  }
})

const address = ({ country, savedAddresses, validationErrors, values }: InteractiveOf<"address">) => ({
  name: "address_message",
  parameters: {
    country,
    ...(values !== undefined && { values }),
    ...(savedAddresses !== undefined && { saved_addresses: savedAddresses }),
    ...(validationErrors !== undefined && { validation_errors: validationErrors })
  }
})

const callButton = ({ label, payload, ttlMinutes }: InteractiveOf<"voice_call">) => {
  const parameters = {
    ...(label !== undefined && { display_text: label }),
    ...(ttlMinutes !== undefined && { ttl_minutes: ttlMinutes }),
    ...(payload !== undefined && { payload })
  }
  return { name: "voice_call", ...(Object.keys(parameters).length > 0 && { parameters }) }
}

// The provider names the type of every media card cta_url, also with replies.
const card = ({ body, button, header, replies = [] }: CarouselCard, index: number) => ({
  card_index: index,
  type: "cta_url",
  header: headerOut(header),
  ...(body !== undefined && { body: text(body) }),
  action: button === undefined ? { buttons: replies.map((each) => reply("quick_reply", each)) } : linkAction(button)
})

/** Type and action of an interactive message as the provider takes them. */
const typeAndAction = (content: Interactive): { readonly type: string; readonly action: unknown } => {
  switch (content.type) {
    case "buttons":
      return { type: "button", action: { buttons: content.buttons.map((each) => reply("reply", each)) } }
    case "list":
      return { type: "list", action: { button: content.button, sections: content.sections } }
    case "cta_url":
      return { type: "cta_url", action: linkAction(content) }
    case "location_request":
      return { type: "location_request_message", action: { name: "send_location" } }
    case "contact_request":
      return { type: "request_contact_info", action: { name: "request_contact_info" } }
    case "flow":
      return { type: "flow", action: flow(content) }
    case "address":
      return { type: "address_message", action: address(content) }
    case "call_permission_request":
      return { type: "call_permission_request", action: { name: "call_permission_request" } }
    case "voice_call":
      return { type: "voice_call", action: callButton(content) }
    case "carousel":
      return { type: "carousel", action: { cards: content.cards.map(card) } }
    case "product":
      return {
        type: "product",
        action: { catalog_id: content.catalogId, product_retailer_id: content.productId }
      }
    case "product_list":
      return { type: "product_list", action: productList(content) }
    case "catalog": {
      const { thumbnailProductId } = content
      const parameters =
        thumbnailProductId === undefined ? {} : { parameters: { thumbnail_product_retailer_id: thumbnailProductId } }
      return { type: "catalog_message", action: { name: "catalog_message", ...parameters } }
    }
    case "product_carousel":
      return { type: "carousel", action: productCarousel(content) }
    case "order_details":
      return { type: "order_details", action: orderDetails(content) }
    case "order_status":
      return { type: "order_status", action: orderStatus(content) }
  }
}

/** An interactive message as the provider takes it. */
export const interactiveOut = (content: Interactive) => {
  const { action, type } = typeAndAction(content)
  const header = "header" in content ? content.header : undefined
  const footer = "footer" in content ? content.footer : undefined
  return {
    type,
    ...(header !== undefined && { header: headerOut(header) }),
    ...(content.body !== undefined && { body: text(content.body) }),
    ...(footer !== undefined && { footer: text(footer) }),
    action
  }
}
