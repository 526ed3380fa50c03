const digits = /^\d{5,20}$/u

/** A phone number with its plus; `null` for what is none. */
export const phoneIn = (digitsOnly: string | null): string | null => {
  const number = digitsOnly?.replace(/^\+/u, "") ?? ""
  return digits.test(number) ? `+${number}` : null
}
