import { refuseForUser } from "../checks.ts"

/** Subcodes of refused templates. */
export const subcodes = {
  tooMany: 2_388_019,
  nameBlocked: 2_388_023,
  languageExists: 2_388_024,
  tooLong: 2_388_040,
  header: 2_388_047,
  body: 2_388_072,
  footer: 2_388_073,
  headerHandle: 2_388_273,
  tooManyVariables: 2_388_293,
  variableAtEdge: 2_388_299
} as const

export const tooLong = (part: string, most: number): never =>
  refuseForUser(
    subcodes.tooLong,
    "Character Limit Exceeded",
    `The ${part} of the message template must have at most ${most} characters.`
  )

export const badHeader = (message: string): never =>
  refuseForUser(subcodes.header, "Message Header Format Is Incorrect", message)

export const badBody = (message: string): never =>
  refuseForUser(subcodes.body, "Message Body Format Is Incorrect", message)

export const badFooter = (message: string): never =>
  refuseForUser(subcodes.footer, "Message Footer Format Is Incorrect", message)

export const refuseWithoutCatalog = (): never =>
  refuseForUser(null, "No Catalog Connected", "Connect a catalog to the account first.")

export const badButtons = (message: string): never => refuseForUser(null, "Buttons Are Not Valid", message)

export const badComponents = (message: string): never =>
  refuseForUser(null, "Template Components Are Not Valid", message)
