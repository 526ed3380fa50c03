import type { ValueField } from "./Value.ts"

/** Something of a contact that a value needs: one of its fields, or its attribute with this key. */
export interface ContactPath {
  readonly field: ValueField
  readonly key?: string
}

/** The path as it is written in Liquid. */
export const textOfPath = ({ field, key }: ContactPath): string => (key === undefined ? field : `${field}.${key}`)
