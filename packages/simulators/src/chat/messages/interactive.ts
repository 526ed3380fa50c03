import { type Fields, listAt, objectAt, oneOf, refuse, textAt, textIfAny } from "../checks.ts"
import type { Refusal } from "../failures.ts"
import { checkCarousel } from "./carousel.ts"
import { type CheckedContent, type Known } from "./Known.ts"
import { checkInteractiveHeader, withFailure } from "./media.ts"
import { checkLinkButton, checkProduct, checkProductSections, parametersOf, requireCatalog } from "./actions.ts"
import { checkAddress } from "./addresses.ts"
import { checkOrderDetails, checkOrderStatus } from "./orders.ts"

const hasEmoji = (text: string) => /\p{Extended_Pictographic}/u.test(text)

const unique = (values: ReadonlyArray<string>, name: string) => {
  if (new Set(values).size < values.length) refuse(131_009, `${name} must be unique.`)
}

const checkButtons = (action: Fields) => {
  const buttons = listAt(objectAt(action, "action", ["buttons"])["buttons"], "buttons", 3).map((button) => {
    const fields = objectAt(button, "button", ["type", "reply"])
    oneOf(fields["type"], "button.type", ["reply"])
    const reply = objectAt(fields["reply"], "reply", ["id", "title"])
    return { id: textAt(reply["id"], "reply.id", 256), title: textAt(reply["title"], "reply.title", 20) }
  })
  unique(
    buttons.map(({ id }) => id),
    "Button ids"
  )
  unique(
    buttons.map(({ title }) => title),
    "Button titles"
  )
}

const checkList = (action: Fields) => {
  const { button, sections } = objectAt(action, "action", ["button", "sections"])
  textAt(button, "action.button", 20)
  const rows = listAt(sections, "sections", 10).flatMap((each) => {
    const section = objectAt(each, "section", ["title", "rows"])
    textAt(section["title"], "section.title", 24)
    return listAt(section["rows"], "rows", 10).map((row) => {
      const fields = objectAt(row, "row", ["id", "title", "description"])
      textAt(fields["title"], "row.title", 24)
      textIfAny(fields["description"], "row.description", 72)
      return textAt(fields["id"], "row.id", 200)
    })
  })
  if (rows.length > 10) refuse(131_009, "A list has at most 10 rows.")
  unique(rows, "Row ids")
}

const flowKeys = [
  "flow_message_version",
  "flow_token",
  "flow_id",
  "flow_name",
  "flow_cta",
  "mode",
  "flow_action",
  "flow_action_payload"
]

const checkFlow = (action: Fields) => {
  const parameters = parametersOf(action, "flow", flowKeys)
  oneOf(parameters["flow_message_version"], "flow_message_version", ["3"])
  if ((parameters["flow_id"] === undefined) === (parameters["flow_name"] === undefined)) {
    refuse(100, "Exactly one of flow_id and flow_name is required.")
  }
  if (parameters["flow_token"] !== undefined && typeof parameters["flow_token"] !== "string") {
    refuse(100, "Param flow_token must be a string.")
  }
  if (hasEmoji(textAt(parameters["flow_cta"], "flow_cta", 20))) refuse(131_009, "Param flow_cta cannot have emojis.")
  oneOf(parameters["mode"] ?? "published", "mode", ["draft", "published"])
  const kind = oneOf(parameters["flow_action"] ?? "navigate", "flow_action", ["navigate", "data_exchange"])
  const payload = parameters["flow_action_payload"]
  if (payload === undefined) return
  if (kind !== "navigate") refuse(100, "flow_action_payload is for the flow_action navigate.")
  textAt(objectAt(payload, "flow_action_payload", ["screen", "data"])["screen"], "screen", 200)
}

const checkProducts = (action: Fields, known: Known) => {
  const fields = objectAt(action, "action", ["catalog_id", "sections"])
  textAt(fields["catalog_id"], "catalog_id", 100)
  checkProductSections(fields["sections"])
  requireCatalog(known)
}

const checkVoiceCall = (action: Fields) => {
  const parameters = parametersOf(action, "voice_call", ["display_text", "ttl_minutes", "payload"])
  textIfAny(parameters["display_text"], "display_text", 20)
  textIfAny(parameters["payload"], "payload", 512)
  const minutes = parameters["ttl_minutes"] ?? 10_080
  if (typeof minutes !== "number" || !Number.isInteger(minutes) || minutes < 1 || minutes > 43_200) {
    refuse(131_009, "Param ttl_minutes must be from 1 to 43200.")
  }
}

interface Rules {
  /** Maximum length of the body; null: the body is optional and short. */
  readonly body: number
  readonly isBodyOptional?: boolean
  /** Allowed headers. Default: all. */
  readonly headers?: ReadonlyArray<string>
  readonly needsHeader?: boolean
  readonly hasFooter?: boolean
  readonly action: (action: Fields, known: Known) => Refusal | null | void
}

const rules: Readonly<Record<string, Rules>> = {
  button: { body: 1_024, action: checkButtons },
  list: { body: 4_096, headers: ["text"], action: checkList },
  cta_url: { body: 1_024, action: checkLinkButton },
  location_request_message: {
    body: 1_024,
    headers: [],
    action: (action) => void oneOf(objectAt(action, "action", ["name"])["name"], "action.name", ["send_location"])
  },
  flow: { body: 1_024, action: checkFlow },
  product: { body: 1_024, isBodyOptional: true, headers: [], action: checkProduct },
  product_list: { body: 1_024, headers: ["text"], needsHeader: true, action: checkProducts },
  catalog_message: {
    body: 1_024,
    headers: [],
    action: (action, known) => {
      parametersOf(action, "catalog_message", ["thumbnail_product_retailer_id"])
      requireCatalog(known)
    }
  },
  carousel: { body: 1_024, headers: [], hasFooter: false, action: checkCarousel },
  address_message: { body: 1_024, action: checkAddress },
  call_permission_request: {
    body: 1_024,
    isBodyOptional: true,
    headers: [],
    hasFooter: false,
    action: (action) =>
      void oneOf(objectAt(action, "action", ["name"])["name"], "action.name", ["call_permission_request"])
  },
  voice_call: { body: 1_024, action: checkVoiceCall },
  request_contact_info: {
    body: 1_024,
    headers: [],
    action: (action) =>
      void oneOf(objectAt(action, "action", ["name"])["name"], "action.name", ["request_contact_info"])
  },
  order_details: { body: 1_024, headers: ["image"], action: checkOrderDetails },
  order_status: { body: 1_024, headers: [], action: checkOrderStatus }
}

const bodyOf = (value: unknown, { body: most, isBodyOptional }: Rules): string => {
  if (value === undefined && isBodyOptional === true) return ""
  return textAt(objectAt(value, "body", ["text"])["text"], "body.text", most)
}

export const checkInteractive = (value: unknown, known: Known): CheckedContent => {
  const interactive = objectAt(value, "interactive", ["type", "header", "body", "footer", "action"])
  const type = textAt(interactive["type"], "interactive.type", 40)
  const rule = Object.hasOwn(rules, type) ? rules[type] : undefined
  if (rule === undefined)
    return refuse(100, `Param interactive.type must be one of {${Object.keys(rules).join(", ").toUpperCase()}}.`)
  const text = bodyOf(interactive["body"], rule)
  if (rule.needsHeader === true && interactive["header"] === undefined)
    refuse(131_008, "The parameter header is required.")
  const headerFailure = checkInteractiveHeader(interactive["header"], known, rule.headers)
  if (interactive["footer"] !== undefined) {
    if (rule.hasFooter === false) refuse(100, `A message of the type ${type} has no footer.`)
    textAt(objectAt(interactive["footer"], "footer", ["text"])["text"], "footer.text", 60)
  }
  const actionFailure = rule.action(objectAt(interactive["action"], "action"), known)
  return withFailure(text, headerFailure ?? actionFailure ?? null)
}
