import { type Fields, listAt, objectAt } from "../checks.ts"
import { checkButtons } from "./buttons.ts"
import { checkHeader } from "./headers.ts"
import { badComponents } from "./subcodes.ts"
import type { SubmissionRules } from "./rules.ts"
import { checkBodyText, type ParameterFormat } from "./textRules.ts"

const cardHeaders = ["IMAGE", "VIDEO", "PRODUCT"]

const kindsOf = (components: ReadonlyArray<Fields>) =>
  JSON.stringify(
    components.map((component) => {
      const buttons = component["buttons"]
      return [
        component["type"],
        component["format"],
        Array.isArray(buttons) ? buttons.map((button: Fields) => button["type"]) : null
      ]
    })
  )

const checkCard = (
  card: unknown,
  category: string,
  format: ParameterFormat,
  rules: SubmissionRules
): ReadonlyArray<Fields> => {
  const components = listAt(objectAt(card, "card")["components"], "card.components", 3).map((component) => {
    const fields = objectAt(component, "card.component")
    return { ...fields, type: String(fields["type"]).toUpperCase() }
  })
  if (components[0]?.type !== "HEADER") return badComponents("Each card of a carousel starts with a header.")
  if (!components.some(({ type }) => type === "BUTTONS")) return badComponents("Each card of a carousel has buttons.")
  return components.map((component): Fields => {
    switch (component.type) {
      case "HEADER":
        return checkHeader(component, format, { ...rules, formats: cardHeaders })
      case "BODY":
        checkBodyText(component, format, 160)
        return component
      case "BUTTONS":
        return { ...component, buttons: checkButtons(component, { category, hasCatalog: rules.hasCatalog, most: 2 }) }
      default:
        return badComponents(`A card cannot have a component of the type ${component.type}.`)
    }
  })
}

/** Checks a carousel: 2 to 10 cards with the same components. */
export const checkCarousel = (
  component: Fields,
  category: string,
  format: ParameterFormat,
  rules: SubmissionRules
): Fields => {
  const given = component["cards"]
  if (!Array.isArray(given) || given.length < 2 || given.length > 10) {
    return badComponents("A carousel has 2 to 10 cards.")
  }
  const cards = given.map((card) => checkCard(card, category, format, rules))
  if (new Set(cards.map(kindsOf)).size > 1) {
    return badComponents("The cards of a carousel must have the same components.")
  }
  if (cards.length !== 2 && cards[0]?.[0]?.["format"] === "PRODUCT") {
    return badComponents("A carousel of products is created with 2 cards.")
  }
  return { ...component, cards: cards.map((components) => ({ components })) }
}
