/**
 * Parent of a credential. `credential`: another credential, checked on every use. `record`: a record; its end or change ends the credential. `none`:
 * the credential grants no rights that need an end.
 */
export type CredentialParent =
  | { readonly kind: "credential"; readonly name: string }
  | { readonly kind: "record"; readonly name: string; readonly reason: string }
  | { readonly kind: "none"; readonly reason: string }

/** A credential and its parent. It is admitted only while the parent is valid. */
export interface Credential {
  readonly name: string
  readonly parent: CredentialParent
}

/** Declares the credentials of an area. */
export const defineCredentials = <const All extends ReadonlyArray<Credential>>(...all: All): All => all
