import { type Fields, listAt, objectAt, oneOf, refuse, textAt, textIfAny } from "../checks.ts"
import { parametersOf } from "./actions.ts"

const fields = [
  "name",
  "phone_number",
  "in_pin_code",
  "house_number",
  "floor_number",
  "tower_number",
  "building_name",
  "address",
  "landmark_area",
  "city",
  "state"
]

const checkValues = (value: unknown, name: string) => {
  const values = objectAt(value, name, fields)
  for (const [key, text] of Object.entries(values)) textIfAny(text, `${name}.${key}`, 1_000)
  return values
}

const checkPlace = (value: unknown, name: string) => {
  const pin = checkValues(value, name)["in_pin_code"]
  if (pin !== undefined && !/^\d{6}$/u.test(String(pin))) refuse(131_009, "Param in_pin_code must have 6 digits.")
}

/** Checks a request for an address in India. */
export const checkAddress = (action: Fields) => {
  const parameters = parametersOf(action, "address_message", [
    "country",
    "values",
    "saved_addresses",
    "validation_errors"
  ])
  oneOf(parameters["country"], "country", ["IN"])
  if (parameters["values"] !== undefined) checkPlace(parameters["values"], "values")
  for (const each of listAt(parameters["saved_addresses"] ?? [], "saved_addresses", 100, 0)) {
    const saved = objectAt(each, "saved_addresses", ["id", "value"])
    textAt(saved["id"], "saved_addresses.id", 200)
    checkPlace(saved["value"], "saved_addresses.value")
  }
  if (parameters["validation_errors"] !== undefined) checkValues(parameters["validation_errors"], "validation_errors")
}
