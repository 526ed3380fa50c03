/** Country code of a business number, which the provider puts in front of numbers without a plus. */
export const countryCodeOf = (phone: string): string => {
  if (/^[17]/u.test(phone)) return phone.slice(0, 1)
  return /^(?:2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/u.test(phone)
    ? phone.slice(0, 2)
    : phone.slice(0, 3)
}

/** Digits of a recipient. Spaces, hyphens, dots and brackets are allowed; without a plus, the country of the business is put in front. */
export const phoneOf = (to: string, businessPhone: string): string | null => {
  const compact = to.replaceAll(/[\s().-]/gu, "")
  const digits = compact.replace(/^\+/u, "")
  if (!/^\d{5,17}$/u.test(digits)) return null
  return compact.startsWith("+") ? digits : `${countryCodeOf(businessPhone)}${digits}`
}

/** The WhatsApp id of a number: Mexico has an additional 1, and Brazil omits the 9. */
export const waIdOf = (phone: string): string => {
  if (/^52[2-9]\d{9}$/u.test(phone)) return `521${phone.slice(2)}`
  const [, area = "", rest = ""] = /^55(\d{2})9(\d{8})$/u.exec(phone) ?? []
  return area === "" ? phone : `55${area}${rest}`
}
