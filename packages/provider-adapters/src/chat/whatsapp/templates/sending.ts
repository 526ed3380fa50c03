import type {
  FilledButton,
  FilledCard,
  FilledFile,
  FilledHeader,
  FilledTemplate,
  TemplateValues
} from "@parley/domain/messaging"
import { languageOut } from "./languages.ts"

const inOrder = (values: TemplateValues) =>
  Object.entries(values).toSorted(([one], [other]) => Number(one) - Number(other))

const textParameters = (values: TemplateValues, named: boolean) =>
  named
    ? Object.entries(values).map(([name, text]) => ({ type: "text", parameter_name: name, text }))
    : inOrder(values).map(([, text]) => ({ type: "text", text }))

const fileOut = ({ filename, media, mediaId }: FilledFile) => ({
  type: media,
  [media]: { id: mediaId, ...(filename === null || media !== "document" ? {} : { filename }) }
})

const headerParameters = (header: FilledHeader, named: boolean): ReadonlyArray<object> => {
  switch (header.kind) {
    case "none":
      return []
    case "text":
      return textParameters(header.values, named)
    case "media":
      return [fileOut(header)]
    case "location": {
      const { address, latitude, longitude, name } = header
      return [
        {
          type: "location",
          location: {
            latitude: String(latitude),
            longitude: String(longitude),
            ...(name === undefined ? {} : { name }),
            ...(address === undefined ? {} : { address })
          }
        }
      ]
    }
    case "product":
      return [
        {
          type: "product",
          product: { product_retailer_id: header.productId, catalog_id: header.catalogId }
        }
      ]
  }
}

const part = (type: "header" | "body", parameters: ReadonlyArray<object>) =>
  parameters.length === 0 ? [] : [{ type, parameters }]

const action = (fields: object) => [{ type: "action", action: fields }]

/** The sub-type of a button, and its parameters. Meta writes the sub-type of a catalog in capitals. */
const buttonParts = (button: FilledButton): readonly [subType: string, parameters: ReadonlyArray<object>] => {
  switch (button.type) {
    case "url":
      return ["url", [{ type: "text", text: button.value }]]
    case "quick_reply":
      return ["quick_reply", [{ type: "payload", payload: button.value }]]
    case "copy_code":
      return ["copy_code", [{ type: "coupon_code", coupon_code: button.value }]]
    case "flow":
      return [
        "flow",
        action({
          ...(button.token === null ? {} : { flow_token: button.token }),
          ...(button.data === null ? {} : { flow_action_data: button.data })
        })
      ]
    case "catalog":
      return ["CATALOG", action(button.productId === null ? {} : { thumbnail_product_retailer_id: button.productId })]
    case "multi_product":
      return [
        "mpm",
        action({
          thumbnail_product_retailer_id: button.productId,
          sections: button.sections.map(({ products, title }) => ({
            title,
            product_items: products.map((product) => ({ product_retailer_id: product }))
          }))
        })
      ]
    case "voice_call":
      return [
        "voice_call",
        [
          ...(button.ttlMinutes === null ? [] : [{ type: "ttl_minutes", ttl_minutes: button.ttlMinutes }]),
          ...(button.payload === null ? [] : [{ type: "payload", payload: button.payload }])
        ]
      ]
    case "order_details":
      return ["order_details", action({ order_details: button.order })]
  }
}

/** The provider requires this component for flows and catalogs even without values. */
const buttonsOut = (buttons: ReadonlyArray<FilledButton>) =>
  buttons.map((button) => {
    const [subType, parameters] = buttonParts(button)
    return { type: "button", sub_type: subType, index: String(button.index), parameters }
  })

const cardOut = ({ body, buttons, header }: FilledCard, index: number, named: boolean) => ({
  card_index: index,
  components: [
    ...part("header", headerParameters(header, named)),
    ...part("body", textParameters(body, named)),
    ...buttonsOut(buttons)
  ]
})

/** Builds the template of a message. */
export const filledTemplateOut = (filled: FilledTemplate): Readonly<Record<string, unknown>> => {
  const { body, buttons, cards = [], header, language, name, named, offerExpiresAt } = filled
  const components = [
    ...part("header", headerParameters(header, named)),
    ...part("body", textParameters(body, named)),
    ...(offerExpiresAt === undefined
      ? []
      : [
          {
            type: "limited_time_offer",
            parameters: [{ type: "limited_time_offer", limited_time_offer: { expiration_time_ms: offerExpiresAt } }]
          }
        ]),
    ...buttonsOut(buttons),
    ...(cards.length === 0
      ? []
      : [{ type: "carousel", cards: cards.map((card, index) => cardOut(card, index, named)) }])
  ]
  return {
    name,
    language: { code: languageOut(language) },
    ...(components.length === 0 ? {} : { components })
  }
}
