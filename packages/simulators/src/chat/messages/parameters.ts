import { type Fields, listAt, objectAt, refuse, textAt } from "../checks.ts"

/** Keys of template parameters by type. */
const forms: Readonly<Record<string, ReadonlyArray<string>>> = {
  text: ["text", "parameter_name"],
  currency: ["currency", "parameter_name"],
  date_time: ["date_time", "parameter_name"],
  image: ["image"],
  video: ["video"],
  document: ["document"],
  gif: ["gif"],
  location: ["location"],
  product: ["product"],
  payload: ["payload"],
  coupon_code: ["coupon_code"],
  action: ["action"],
  ttl_minutes: ["ttl_minutes"],
  limited_time_offer: ["limited_time_offer"],
  tap_target_configuration: ["tap_target_configuration"]
}

/** A parameter of a template with its type. */
export interface Parameter {
  readonly type: string
  readonly fields: Fields
}

export const parameterAt = (value: unknown): Parameter => {
  const fields = objectAt(value, "parameter")
  const type = textAt(fields["type"], "type", 30).toLowerCase()
  const form = forms[type]
  if (form === undefined) return refuse(100, `Unknown parameter type ${type}.`)
  objectAt(fields, "parameter", ["type", ...form])
  const [content = type] = form
  if (fields[content] === undefined) refuse(131_008, `The parameter ${content} is required.`)
  if (type === "text" && /[\n\t]| {5,}/u.test(textAt(fields["text"], "text", 32_768))) {
    refuse(
      132_018,
      `Param text cannot have new-line/tab characters or more than 4 consecutive spaces${
        fields["parameter_name"] === undefined ? "" : ` (${String(fields["parameter_name"])})`
      }.`
    )
  }
  return { type, fields }
}

export const parametersAt = (value: unknown): ReadonlyArray<Parameter> =>
  listAt(value ?? [], "parameters", 100, 0).map(parameterAt)

/** The text that a parameter puts into a variable. */
export const textOf = ({ fields, type }: Parameter): string => {
  if (type === "text") return String(fields["text"])
  const value: unknown = fields[type]
  const fallback: unknown =
    typeof value === "object" && value !== null ? Reflect.get(value, "fallback_value") : undefined
  return typeof fallback === "string" ? fallback : refuse(132_012, `The parameter ${type} needs a fallback_value.`)
}
