import { type Fields, listAt, objectAt, oneOf, refuse, textAt } from "../checks.ts"

const amountAt = (value: unknown, name: string): number => {
  const amount = objectAt(value, name, ["value", "offset", "description", "discount_program_name"])
  if (amount["offset"] !== 100) refuse(131_009, `Param ${name}.offset must be 100.`)
  const total = amount["value"]
  return typeof total === "number" && Number.isInteger(total) && total >= 0
    ? total
    : refuse(131_009, `Param ${name}.value must be a whole number.`)
}

const detailKeys = [
  "reference_id",
  "type",
  "payment_type",
  "payment_settings",
  "payment_configuration",
  "currency",
  "total_amount",
  "order"
]

/** Checks the order of a payment request: the total is the sum of its parts. */
export const checkOrderParameters = (value: unknown) => {
  const parameters = objectAt(value, "action.parameters", detailKeys)
  textAt(parameters["reference_id"], "reference_id", 35)
  oneOf(parameters["type"], "type", ["digital-goods", "physical-goods"])
  textAt(parameters["currency"], "currency", 3, 3)
  const total = amountAt(parameters["total_amount"], "total_amount")
  const order = objectAt(parameters["order"], "order")
  oneOf(order["status"], "order.status", ["pending"])
  for (const item of listAt(order["items"], "order.items", 1_000)) {
    const fields = objectAt(item, "order.item")
    textAt(fields["name"], "order.item.name", 60)
    amountAt(fields["amount"], "order.item.amount")
  }
  const [subtotal = 0, tax = 0, shipping = 0, discount = 0] = ["subtotal", "tax", "shipping", "discount"].map((part) =>
    order[part] === undefined ? 0 : amountAt(order[part], `order.${part}`)
  )
  if (total !== subtotal + tax + shipping - discount) {
    refuse(131_009, "Param total_amount must be subtotal + tax + shipping - discount.")
  }
}

const parametersOf = (action: Fields, name: string): unknown => {
  const fields = objectAt(action, "action", ["name", "parameters"])
  oneOf(fields["name"], "action.name", [name])
  return fields["parameters"]
}

export const checkOrderDetails = (action: Fields) => checkOrderParameters(parametersOf(action, "review_and_pay"))

export const checkOrderStatus = (action: Fields) => {
  const parameters = objectAt(parametersOf(action, "review_order"), "action.parameters", [
    "reference_id",
    "order",
    "payment"
  ])
  textAt(parameters["reference_id"], "reference_id", 35)
  const order = objectAt(parameters["order"], "order", ["status", "description"])
  oneOf(order["status"], "order.status", ["processing", "partially_shipped", "shipped", "completed", "canceled"])
}
