import { Predicate } from "effect"
import { type Fields, listAt, objectAt, refusePlainly } from "../checks.ts"
import { badBody, badButtons, badComponents, badFooter, tooLong } from "./subcodes.ts"

const otpTypes = ["COPY_CODE", "ONE_TAP", "ZERO_TAP"]

const checkApp = (value: unknown) => {
  const app = objectAt(value, "supported_apps")
  const name = String(app["package_name"] ?? "")
  const hash = String(app["signature_hash"] ?? "")
  if (name.length > 224 || !/^[A-Za-z]\w*(?:\.[A-Za-z]\w*)+$/u.test(name)) {
    badButtons("package_name must have at least two segments. Each segment starts with a letter.")
  }
  if (!/^[A-Za-z0-9+/=]{11}$/u.test(hash)) badButtons("signature_hash must have 11 characters.")
}

const checkLabel = (button: Fields, key: string) => {
  const label = button[key]
  if (label !== undefined && String(label).length > 25) tooLong(key, 25)
}

const checkOtp = (button: Fields): Fields => {
  const type = String(button["otp_type"] ?? "").toUpperCase()
  if (!otpTypes.includes(type)) return badButtons(`otp_type must be one of ${otpTypes.join(", ")}.`)
  checkLabel(button, "text")
  checkLabel(button, "autofill_text")
  if (type !== "COPY_CODE") {
    const apps = button["supported_apps"]
    if (!Array.isArray(apps) && button["package_name"] === undefined) {
      return badButtons(`A button of the type ${type} needs supported_apps.`)
    }
    for (const app of Array.isArray(apps) ? listAt(apps, "supported_apps", 5) : [button]) checkApp(app)
  }
  if (type === "ZERO_TAP" && button["zero_tap_terms_accepted"] !== true) {
    return badButtons("A zero-tap template needs zero_tap_terms_accepted.")
  }
  return { ...button, type: "OTP", otp_type: type }
}

const checkComponent = (component: Fields): Fields => {
  switch (component["type"]) {
    case "BODY":
      return component["text"] === undefined
        ? component
        : badBody("The body of an authentication template is fixed: leave out its text.")
    case "FOOTER": {
      const minutes = component["code_expiration_minutes"]
      if (component["text"] !== undefined) return badFooter("The footer of an authentication template is fixed.")
      return typeof minutes === "number" && Number.isInteger(minutes) && minutes >= 1 && minutes <= 90
        ? component
        : badFooter("code_expiration_minutes must be a number from 1 to 90.")
    }
    case "BUTTONS": {
      const [button, ...more] = listAt(component["buttons"], "buttons", 10)
      const fields = objectAt(button, "button")
      if (more.length > 0 || String(fields["type"]).toUpperCase() !== "OTP") {
        return badButtons("An authentication template has one button of the type OTP.")
      }
      return { ...component, buttons: [checkOtp(fields)] }
    }
    default:
      return badComponents(
        `An authentication template cannot have a component of the type ${String(component["type"])}.`
      )
  }
}

/** Checks the components of an authentication template: its text is fixed. */
export const checkAuthentication = (components: ReadonlyArray<Fields>): ReadonlyArray<Fields> => {
  const checked = components.map(checkComponent)
  if (!checked.some((component) => component["type"] === "BUTTONS")) {
    return badButtons("An authentication template has one button of the type OTP.")
  }
  return checked
}

const listIn = (value: unknown, key: string): ReadonlyArray<unknown> => {
  const list: unknown = Predicate.isObject(value) ? Reflect.get(value, key) : undefined
  return Array.isArray(list) ? list : []
}

/** Refuses keys that an upsert does not support: it has a list of languages, and the provider writes the texts of its button. */
export const checkUpsertKeys = (fields: Fields) => {
  const buttons = listIn(fields, "components").flatMap((component) => listIn(component, "buttons"))
  const has = (value: unknown, key: string) => Predicate.isObject(value) && Object.hasOwn(value, key)
  const unexpected = has(fields, "language")
    ? "language"
    : ["text", "autofill_text"].find((key) => buttons.some((button) => has(button, key)))
  if (unexpected !== undefined) refusePlainly(100, `(#100) Unexpected key "${unexpected}".`)
}
