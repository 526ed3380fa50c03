import { type Fields, objectAt, refuse, textAt } from "../checks.ts"
import type { Refusal } from "../failures.ts"
import { variablesIn } from "../templates/textRules.ts"
import type { Known } from "./Known.ts"
import { checkFile } from "./media.ts"
import { type Parameter, textOf } from "./parameters.ts"

const textTypes: ReadonlySet<string> = new Set(["text", "currency", "date_time"])

/** Checks the values of a text, and its filled length. */
export const fillText = (
  part: string,
  text: unknown,
  parameters: ReadonlyArray<Parameter>,
  isNamed: boolean,
  most: number
) => {
  const all = variablesIn(text)
  const wanted = [...new Set(all)]
  if (wanted.length !== parameters.length) {
    refuse(
      132_000,
      `${part}: number of localizable_params (${parameters.length}) does not match the expected number of params (${wanted.length})`
    )
  }
  const strange = parameters.find(({ type }) => !textTypes.has(type))
  if (strange !== undefined) refuse(132_012, `${part}: expected a text, received ${strange.type}.`)
  const values = wanted.map((name, index) => {
    const parameter = isNamed ? parameters.find(({ fields }) => fields["parameter_name"] === name) : parameters[index]
    return parameter === undefined ? refuse(132_000, `${part}: the parameter ${name} is missing.`) : textOf(parameter)
  })
  const filled = values.reduce(
    (length, value, index) => length + value.length * all.filter((name) => name === wanted[index]).length,
    String(text).replaceAll(/\{\{[^{}]*\}\}/gu, "").length
  )
  if (filled > most) refuse(132_005, `${part}: the filled text has ${filled} characters; at most ${most} are allowed.`)
}

const checkLocation = (value: unknown) => {
  const location = objectAt(value, "location", ["latitude", "longitude", "name", "address"])
  for (const key of ["latitude", "longitude"]) {
    if (!Number.isFinite(Number(location[key] ?? "NaN"))) refuse(132_012, `header: the location needs a ${key}.`)
  }
}

const checkProduct = (value: unknown) => {
  const product = objectAt(value, "product", ["product_retailer_id", "catalog_id"])
  textAt(product["product_retailer_id"], "product_retailer_id", 100)
  textAt(product["catalog_id"], "catalog_id", 100)
}

/** Checks the header. The result is the error that comes after the message was accepted. */
export const fillHeader = (
  header: Fields | undefined,
  given: ReadonlyArray<Parameter>,
  isNamed: boolean,
  known: Known
): Refusal | null => {
  if (header === undefined) return given.length === 0 ? null : refuse(132_000, "The template has no header.")
  const format = String(header["format"]).toLowerCase()
  if (format === "text") {
    fillText("header", header["text"], given, isNamed, 60)
    return null
  }
  const [parameter, ...more] = given
  if (parameter?.type !== format || more.length > 0) {
    return refuse(
      132_012,
      `header: Format mismatch, expected ${format.toUpperCase()}, received ${parameter?.type.toUpperCase() ?? "UNKNOWN"}`
    )
  }
  // The provider documents no error for it.
  if (format === "gif" && known.api === "cloud") return refuse(100, "GIF headers need the Marketing Messages API.")
  const value = parameter.fields[format]
  switch (format) {
    case "location":
      checkLocation(value)
      return null
    case "product":
      checkProduct(value)
      return null
    case "image":
      return checkFile(objectAt(value, "image", ["id", "link"]), "image", known)
    case "document":
      return checkFile(objectAt(value, "document", ["id", "link", "filename"]), "document", known)
    default:
      return checkFile(objectAt(value, format, ["id", "link"]), "video", known)
  }
}

/** Checks the expiry of an offer. */
export const fillOffer = (component: Fields | undefined, given: ReadonlyArray<Parameter>, now: number) => {
  const offer = component?.["limited_time_offer"]
  const hasExpiration = typeof offer === "object" && offer !== null && Reflect.get(offer, "has_expiration") === true
  const [parameter] = given
  if (parameter === undefined) {
    if (hasExpiration) refuse(132_000, "limited_time_offer: expiration_time_ms is missing.")
    return
  }
  if (component === undefined) refuse(132_000, "The template has no limited-time offer.")
  const fields = objectAt(parameter.fields["limited_time_offer"], "limited_time_offer", ["expiration_time_ms"])
  const expiration = fields["expiration_time_ms"]
  if (typeof expiration !== "number" || expiration <= now) {
    refuse(132_012, "limited_time_offer: expiration_time_ms must be in the future.")
  }
}
