import type { ValidationIssue } from "../../../kernel/index.ts"
import type { CarouselCard, Interactive, InteractiveOf } from "../../chat/index.ts"

const maxRows = 10
const maxProducts = 30

type Issues = ReadonlyArray<ValidationIssue>

const duplicateIssues = (texts: ReadonlyArray<string>, pointerOf: (index: number) => string, what: string): Issues =>
  texts.flatMap((text, index): Issues =>
    texts.indexOf(text) === index ? [] : [{ pointer: pointerOf(index), message: `Expected a unique ${what}` }]
  )

const when = (applies: boolean, pointer: string, message: string): Issues => (applies ? [{ pointer, message }] : [])

const choiceIssues = (
  choices: ReadonlyArray<{ readonly id: string; readonly title: string }>,
  pointer: string
): Issues => [
  ...duplicateIssues(
    choices.map(({ id }) => id),
    (index) => `${pointer}/${index}/id`,
    "id"
  ),
  ...duplicateIssues(
    choices.map(({ title }) => title),
    (index) => `${pointer}/${index}/title`,
    "title"
  )
]

const listIssues = ({ sections }: InteractiveOf<"list">, pointer: string): Issues => {
  const rows = sections.flatMap((section, at) =>
    section.rows.map(({ id }, row) => ({ id, pointer: `${pointer}/sections/${at}/rows/${row}/id` }))
  )
  return [
    ...when(rows.length > maxRows, `${pointer}/sections`, `Expected at most ${maxRows} rows in total`),
    ...duplicateIssues(
      rows.map(({ id }) => id),
      (index) => rows[index]?.pointer ?? pointer,
      "id"
    )
  ]
}

const productIssues = ({ sections }: InteractiveOf<"product_list">, pointer: string): Issues =>
  when(
    sections.flatMap(({ productIds }) => productIds).length > maxProducts,
    `${pointer}/sections`,
    `Expected at most ${maxProducts} products in total`
  )

const orderIssues = (
  { discount, shipping, subtotal, tax, totalAmount }: InteractiveOf<"order_details">,
  pointer: string
): Issues =>
  when(
    totalAmount.value !== subtotal.value + tax.value + (shipping?.value ?? 0) - (discount?.value ?? 0),
    `${pointer}/totalAmount/value`,
    "Expected the sum of subtotal, tax and shipping, minus the discount"
  )

const flowIssues = ({ action, data, screen }: InteractiveOf<"flow">, pointer: string): Issues =>
  action === "navigate"
    ? when(screen === undefined, `${pointer}/screen`, "Expected the first screen, because the action is navigate")
    : [
        ...when(screen !== undefined, `${pointer}/screen`, "Expected no screen, because the action is data_exchange"),
        ...when(data !== undefined, `${pointer}/data`, "Expected no data, because the action is data_exchange")
      ]

const formOf = ({ button, replies }: CarouselCard) => (button === undefined ? (replies?.length ?? 0) : "button")

const carouselIssues = ({ cards }: InteractiveOf<"carousel">, pointer: string): Issues => {
  const [first] = cards
  return cards.flatMap((card, at): Issues => {
    const here = `${pointer}/cards/${at}`
    if ((card.button === undefined) === (card.replies === undefined)) {
      return [{ pointer: here, message: "Expected either a button or replies" }]
    }
    return [
      ...when(
        first !== undefined && formOf(card) !== formOf(first),
        here,
        "Expected the same kind and number of buttons on each card"
      ),
      ...when(
        first !== undefined && (card.body === undefined) !== (first.body === undefined),
        here,
        "Expected a body on each card or on none"
      ),
      ...(card.replies === undefined ? [] : choiceIssues(card.replies, `${here}/replies`))
    ]
  })
}

/** Returns the provider's rules for interactive messages that the schema cannot express, as issues. */
export const validateInteractive = (interactive: Interactive, pointer: string): Issues => {
  switch (interactive.type) {
    case "buttons":
      return choiceIssues(interactive.buttons, `${pointer}/buttons`)
    case "list":
      return listIssues(interactive, pointer)
    case "product_list":
      return productIssues(interactive, pointer)
    case "flow":
      return flowIssues(interactive, pointer)
    case "carousel":
      return carouselIssues(interactive, pointer)
    case "order_details":
      return orderIssues(interactive, pointer)
    case "product_carousel":
      return duplicateIssues(interactive.productIds, (index) => `${pointer}/productIds/${index}`, "product")
    default:
      return []
  }
}
