/**
 * What a credential ends with. `credential`: another one, which every use of it asks for. `record`: a record whose end or change ends it.
 * `none`: it gives no rights that could outlive anything.
 */
export type CredentialParent =
  | { readonly kind: "credential"; readonly name: string }
  | { readonly kind: "record"; readonly name: string; readonly reason: string }
  | { readonly kind: "none"; readonly reason: string }

/** Something that lets its holder in, and its parent: it is admitted only while the parent lives. */
export interface Credential {
  readonly name: string
  readonly parent: CredentialParent
}

/** Declares the credentials of an area. */
export const defineCredentials = <const All extends ReadonlyArray<Credential>>(...all: All): All => all
