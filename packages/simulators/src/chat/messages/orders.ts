import { type Fields, listAt, numberAt, objectAt, oneOf, refuse, textAt, textIfAny } from "../checks.ts"

const amountAt = (value: unknown, name: string): number => {
  const amount = objectAt(value, name, ["value", "offset", "description", "discount_program_name"])
  if (amount["offset"] !== 100) refuse(131_009, `Param ${name}.offset must be 100.`)
  textIfAny(amount["description"], `${name}.description`, 60)
  textIfAny(amount["discount_program_name"], `${name}.discount_program_name`, 60)
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
  "order",
  "beneficiaries"
]

const referenceAt = (value: unknown, most: number): string => {
  const reference = textAt(value, "reference_id", most)
  return /^[\w.-]+$/u.test(reference)
    ? reference
    : refuse(131_009, "Param reference_id must have letters, digits, underscores, dashes and dots only.")
}

const checkSettings = (value: unknown) => {
  for (const each of listAt(value, "payment_settings", 10)) {
    const settings = objectAt(each, "payment_settings")
    const type = textAt(settings["type"], "payment_settings.type", 60)
    objectAt(settings[type], `payment_settings.${type}`)
  }
}

/** Payments exist in Brazil, where the settings are optional, and in India. */
const checkPayment = (parameters: Fields) => {
  const currency = oneOf(parameters["currency"], "currency", ["BRL", "INR"])
  referenceAt(parameters["reference_id"], currency === "BRL" ? 60 : 35)
  if (currency === "BRL") oneOf(parameters["payment_type"], "payment_type", ["br"])
  if (currency === "BRL" && parameters["payment_settings"] === undefined) return
  if (parameters["payment_settings"] === undefined) refuse(131_008, "The parameter payment_settings is required.")
  checkSettings(parameters["payment_settings"])
}

/** Checks an item; returns its price. */
const priceOf = (value: unknown): number => {
  const item = objectAt(value, "order.item")
  textAt(item["retailer_id"], "order.item.retailer_id", 200)
  textAt(item["name"], "order.item.name", 60)
  const quantity = numberAt(item["quantity"], "order.item.quantity", 1, 1_000_000)
  if (!Number.isInteger(quantity)) refuse(131_009, "Param order.item.quantity must be a whole number.")
  const amount = amountAt(item["amount"], "order.item.amount")
  if (item["sale_amount"] === undefined) return amount * quantity
  const sale = amountAt(item["sale_amount"], "order.item.sale_amount")
  return sale < amount ? sale * quantity : refuse(131_009, "Param order.item.sale_amount must be below the amount.")
}

/** Checks the order of a payment request: the total is the sum of its parts. */
export const checkOrderParameters = (value: unknown) => {
  const parameters = objectAt(value, "action.parameters", detailKeys)
  oneOf(parameters["type"], "type", ["digital-goods", "physical-goods"])
  checkPayment(parameters)
  const total = amountAt(parameters["total_amount"], "total_amount")
  const order = objectAt(parameters["order"], "order")
  oneOf(order["status"], "order.status", ["pending"])
  const prices = listAt(order["items"], "order.items", 1_000).map(priceOf)
  const subtotal = amountAt(order["subtotal"], "order.subtotal")
  const tax = amountAt(order["tax"], "order.tax")
  const [shipping = 0, discount = 0] = ["shipping", "discount"].map((part) =>
    order[part] === undefined ? 0 : amountAt(order[part], `order.${part}`)
  )
  if (subtotal !== prices.reduce((sum, price) => sum + price, 0)) {
    refuse(131_009, "Param order.subtotal must be the sum of the items.")
  }
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
  referenceAt(parameters["reference_id"], 60)
  const order = objectAt(parameters["order"], "order", ["status", "description"])
  oneOf(order["status"], "order.status", ["processing", "partially_shipped", "shipped", "completed", "canceled"])
  textIfAny(order["description"], "order.description", 120)
  if (parameters["payment"] === undefined) return
  const payment = objectAt(parameters["payment"], "payment", ["status", "timestamp"])
  oneOf(payment["status"], "payment.status", ["pending", "captured", "failed"])
  const { timestamp } = payment
  if (timestamp !== undefined && !Number.isInteger(timestamp))
    refuse(131_009, "Param payment.timestamp must be a time.")
}
