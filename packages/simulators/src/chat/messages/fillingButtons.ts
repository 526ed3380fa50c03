import { type Fields, objectAt, refuse, textAt } from "../checks.ts"
import { variablesIn } from "../templates/textRules.ts"
import { checkProductSections } from "./actions.ts"
import { checkOrderParameters } from "./orders.ts"
import { type Parameter, parametersAt } from "./parameters.ts"

interface ButtonForm {
  /** Types of the template's button. */
  readonly buttons: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<string>
}

const forms: Readonly<Record<string, ButtonForm>> = {
  url: { buttons: ["URL", "OTP"], parameters: ["text"] },
  quick_reply: { buttons: ["QUICK_REPLY"], parameters: ["payload", "text"] },
  copy_code: { buttons: ["COPY_CODE"], parameters: ["coupon_code"] },
  flow: { buttons: ["FLOW"], parameters: ["action"] },
  catalog: { buttons: ["CATALOG"], parameters: ["action"] },
  mpm: { buttons: ["MPM"], parameters: ["action"] },
  voice_call: { buttons: ["VOICE_CALL"], parameters: ["ttl_minutes", "payload"] },
  order_details: { buttons: ["ORDER_DETAILS"], parameters: ["action"] }
}

const isRequired = (button: Fields): boolean => {
  const type = String(button["type"])
  if (type === "URL") return variablesIn(button["url"]).length > 0
  return ["COPY_CODE", "OTP", "MPM", "ORDER_DETAILS"].includes(type)
}

const checkCoupon = (parameter: Parameter) => {
  const code = parameter.fields["coupon_code"]
  if (typeof code !== "string" || !/^[A-Za-z0-9]{1,20}$/u.test(code)) {
    refuse(132_018, "coupon_code must have 1 to 20 letters and digits.")
  }
}

const checkAction = (subType: string, parameter: Parameter) => {
  const action = objectAt(parameter.fields["action"], "action")
  if (subType === "mpm") {
    textAt(action["thumbnail_product_retailer_id"], "thumbnail_product_retailer_id", 100)
    checkProductSections(action["sections"])
  }
  if (subType === "order_details") checkOrderParameters(action["order_details"])
}

const checkParameters = (subType: string, index: number, form: ButtonForm, parameters: ReadonlyArray<Parameter>) => {
  const [parameter] = parameters
  const strange = parameters.find(({ type }) => !form.parameters.includes(type))
  if (parameter === undefined || strange !== undefined || (parameters.length > 1 && subType !== "voice_call")) {
    refuse(132_000, `button ${index}: expected one parameter of the type ${form.parameters.join(" or ")}.`)
    return
  }
  if (subType === "copy_code") checkCoupon(parameter)
  if (parameter.type === "action") checkAction(subType, parameter)
}

/** The code of an authentication template has at most 15 characters. */
const checkOtp = (index: number, parameter: Parameter | undefined) => {
  if (String(parameter?.fields["text"] ?? "").length > 15) {
    refuse(132_018, `button ${index}: the code must have at most 15 characters.`)
  }
}

/** Checks the values of the buttons. */
export const fillButtons = (buttons: ReadonlyArray<Fields>, given: ReadonlyArray<Fields>) => {
  const filled = new Set<number>()
  for (const component of given) {
    const subType = String(component["sub_type"] ?? "").toLowerCase()
    const form = Object.hasOwn(forms, subType) ? forms[subType] : undefined
    if (form === undefined) {
      refuse(100, `Param sub_type must be one of {${Object.keys(forms).join(", ").toUpperCase()}}.`)
      return
    }
    const index = Number(component["index"] ?? "NaN")
    const button = buttons[index]
    const type = String(button?.["type"])
    if (!form.buttons.includes(type)) refuse(132_000, `button ${index}: is not a ${subType}.`)
    const parameters = parametersAt(component["parameters"])
    checkParameters(subType, index, form, parameters)
    if (type === "OTP") checkOtp(index, parameters[0])
    filled.add(index)
  }
  const missing = buttons.findIndex((button, index) => !filled.has(index) && isRequired(button))
  if (missing !== -1) refuse(132_000, `button ${missing}: a parameter is missing.`)
}
