import type { Fields } from "../checks.ts"
import { badComponents, badHeader, tooLong } from "./subcodes.ts"

const partOf = (components: ReadonlyArray<Fields>, type: string): Fields | undefined =>
  components.find((component) => component["type"] === type)

/** Types of the buttons, in capitals. */
const buttonTypes = (components: ReadonlyArray<Fields>): ReadonlyArray<string> => {
  const buttons = partOf(components, "BUTTONS")?.["buttons"]
  return Array.isArray(buttons) ? buttons.map((button: Fields) => String(button["type"])) : []
}

const formatOf = (components: ReadonlyArray<Fields>): string => String(partOf(components, "HEADER")?.["format"] ?? "")

/** A message with one product: the product is the header. */
const checkSingleProduct = (components: ReadonlyArray<Fields>, buttons: ReadonlyArray<string>) => {
  const isProduct = buttons.includes("SPM")
  if (isProduct !== (formatOf(components) === "PRODUCT")) {
    badHeader("A product header and a button of the type SPM need each other.")
  }
  const text = partOf(components, "BODY")?.["text"]
  if (isProduct && typeof text === "string" && Array.from(text).length > 160) tooLong("body", 160)
}

/** A message with an order: its button is the only one. */
const checkOrder = (components: ReadonlyArray<Fields>, buttons: ReadonlyArray<string>) => {
  if (!buttons.includes("ORDER_DETAILS")) return
  if (buttons.length > 1) badComponents("A template of an order has one button.")
  if (!["", "TEXT", "IMAGE", "DOCUMENT"].includes(formatOf(components))) {
    badHeader("The header of an order must be a text, an image or a document.")
  }
}

/** Checks the rules of the kinds of templates, which relate header, body and buttons. */
export const checkKind = (category: string, components: ReadonlyArray<Fields>) => {
  const buttons = buttonTypes(components)
  if (formatOf(components) === "GIF" && category !== "MARKETING") {
    badHeader("A header of the format GIF is for marketing templates.")
  }
  checkSingleProduct(components, buttons)
  checkOrder(components, buttons)
}

/** Checks that `display_format` is set for orders, and only for orders. */
export const checkDisplayFormat = (value: unknown, components: ReadonlyArray<Fields>) => {
  const isOrder = buttonTypes(components).includes("ORDER_DETAILS")
  if (isOrder !== (String(value ?? "").toUpperCase() === "ORDER_DETAILS")) {
    badComponents("The display_format ORDER_DETAILS and a button of the type ORDER_DETAILS need each other.")
  }
}
