import { Schema, SchemaAST } from "effect"
import type { Actor } from "./CurrentActor.ts"
import type { Permission } from "./Permission.ts"
import { canView, findKeyShownWith, findObjectShownWith } from "./shownWith.ts"

/** Replaces hidden values in JSON. Copies the objects that it changes. */
export type Mask = (json: unknown) => unknown

/** Marks an object that is hidden as a whole. */
const hidden = Symbol("hidden")

const hideWhole: Mask = () => hidden

type JsonObject = Readonly<Record<string, unknown>>

const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Node of the JSON value: the last encoding. */
export const jsonShape = (ast: SchemaAST.AST): SchemaAST.AST => {
  const link = ast.encoding?.at(-1)
  return link === undefined ? ast : jsonShape(link.to)
}

/** Direct children of a node. */
const childrenOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  switch (ast._tag) {
    case "Arrays":
      return [...ast.elements, ...ast.rest]
    case "Objects":
      return [...ast.propertySignatures, ...ast.indexSignatures].map(({ type }) => type)
    case "Union":
      return ast.types
    case "Suspend":
      return [ast.thunk()]
    default:
      return []
  }
}

const findPermissions = (root: SchemaAST.AST): ReadonlyArray<Permission> => {
  const found = new Set<Permission>()
  const seen = new Set<SchemaAST.AST>()
  const visit = (ast: SchemaAST.AST): void => {
    for (const { permissions } of [findKeyShownWith(ast), findObjectShownWith(ast)].filter((each) => each !== null)) {
      for (const permission of permissions) found.add(permission)
    }
    const shape = jsonShape(ast)
    if (seen.has(shape)) return
    seen.add(shape)
    for (const child of childrenOf(shape)) visit(child)
  }
  visit(root)
  return Array.from(found)
}

const isJson = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isDeclaration(ast) && ast.annotations?.representation === Schema.Json.ast.annotations?.representation

const allowsNull = (ast: SchemaAST.AST): boolean => {
  const shape = jsonShape(ast)
  return SchemaAST.isNull(shape) || isJson(shape) || (SchemaAST.isUnion(shape) && shape.types.some(allowsNull))
}

const isRecord = (shape: SchemaAST.AST): boolean =>
  SchemaAST.isObjects(shape) && shape.propertySignatures.length === 0 && shape.indexSignatures.length > 0

/** Replacement of a hidden value; `undefined` if the schema allows neither null nor an empty list or record. */
const replacementFor = (ast: SchemaAST.AST): unknown => {
  const shape = jsonShape(ast)
  if (allowsNull(ast)) return null
  if (SchemaAST.isArrays(shape)) return []
  return isRecord(shape) ? {} : undefined
}

const literalFields = (ast: SchemaAST.AST): ReadonlyMap<string, unknown> => {
  const shape = jsonShape(ast)
  return new Map(
    SchemaAST.isObjects(shape)
      ? shape.propertySignatures.flatMap(({ name, type }) => {
          const literal = jsonShape(type)
          return typeof name === "string" && SchemaAST.isLiteral(literal) ? [[name, literal.literal] as const] : []
        })
      : []
  )
}

/** Discriminator field of a union. */
const findTagField = (members: ReadonlyArray<SchemaAST.AST>): string | undefined => {
  const literals = members.map(literalFields)
  return Array.from(literals[0]?.keys() ?? []).find((name) => {
    const values = new Set(literals.map((of) => of.get(name)))
    return values.size === members.length && !values.has(undefined)
  })
}

interface MaskedField {
  readonly name: string
  readonly mask: (value: unknown, parent: JsonObject) => unknown
}

/** Fails closed: the schema allows no replacement for a hidden value. */
const failToHide = (where: string): never => {
  throw new TypeError(`The schema does not allow to hide ${where}.`)
}

class MaskCompiler {
  private readonly compiled = new Map<SchemaAST.AST, Mask | null>()
  private readonly missing: ReadonlySet<Permission>

  constructor(missing: ReadonlySet<Permission>) {
    this.missing = missing
  }

  /** `null` if nothing is hidden. */
  mask(ast: SchemaAST.AST): Mask | null {
    const shape = jsonShape(ast)
    if (this.isHiddenWhole(ast) || this.isHiddenWhole(shape)) return hideWhole
    const known = this.compiled.get(shape)
    if (known !== undefined) return known
    const mask = this.own(shape)
    this.compiled.set(shape, mask)
    return mask
  }

  private lacks(permissions: ReadonlyArray<Permission>): boolean {
    return permissions.some((permission) => this.missing.has(permission))
  }

  private isHiddenWhole(ast: SchemaAST.AST): boolean {
    return this.lacks(findObjectShownWith(ast)?.permissions ?? [])
  }

  private own(ast: SchemaAST.AST): Mask | null {
    switch (ast._tag) {
      case "Arrays":
        return this.list(ast)
      case "Objects":
        return this.object(ast)
      case "Union":
        return this.union(ast)
      case "Suspend": {
        let mask: Mask | null | undefined
        return (value) => {
          if (mask === undefined) mask = this.mask(ast.thunk())
          return mask === null ? value : mask(value)
        }
      }
      default:
        return null
    }
  }

  private list({ elements, rest }: SchemaAST.Arrays): Mask | null {
    const [item, ...others] = [...elements, ...rest]
    const mask = item === undefined ? null : this.mask(item)
    if (others.length > 0) return others.some((other) => this.mask(other) !== null) ? failToHide("a tuple") : mask
    if (mask === null) return null
    return (value) => {
      if (!Array.isArray(value)) return value
      const masked = value.map((one: unknown) => mask(one)).filter((one) => one !== hidden)
      return masked.length === value.length && masked.every((one, place) => one === value[place]) ? value : masked
    }
  }

  private field(name: string, ast: SchemaAST.AST): MaskedField | null {
    const shown = findKeyShownWith(ast)
    const isMissing = shown !== null && this.lacks(shown.permissions)
    const mask = this.mask(ast)
    if (mask === null && !isMissing) return null
    const replacement = replacementFor(ast)
    if (replacement === undefined && (isMissing || mask === hideWhole)) return failToHide(name)
    const masked = (value: unknown): unknown => {
      const after = mask === null ? value : mask(value)
      if (after !== hidden) return after
      return replacement === undefined ? failToHide(name) : replacement
    }
    if (!isMissing) return { name, mask: masked }
    const { narrowing, permissions } = shown
    const isHiddenIn = (parent: JsonObject) => this.lacks(narrowing === null ? permissions : narrowing(parent))
    return { name, mask: (value, parent) => (isHiddenIn(parent) ? replacement : masked(value)) }
  }

  private object({ indexSignatures, propertySignatures }: SchemaAST.Objects): Mask | null {
    const fields = propertySignatures.flatMap(({ name, type }) => {
      const field = typeof name === "string" ? this.field(name, type) : null
      return field === null ? [] : [field]
    })
    if (indexSignatures.some(({ type }) => this.field("a record", type) !== null)) return failToHide("a record's value")
    if (fields.length === 0) return null
    return (value) => {
      if (!isJsonObject(value)) return value
      let copy: Record<string, unknown> | null = null
      for (const { mask, name } of fields) {
        const before = value[name]
        if (before === undefined) continue
        const after = mask(before, value)
        if (after === before) continue
        copy ??= { ...value }
        copy[name] = after
      }
      return copy ?? value
    }
  }

  private union({ types }: SchemaAST.Union): Mask | null {
    const members = types.map((ast) => ({ ast, mask: this.mask(ast) })).filter(({ ast }) => this.isStructured(ast))
    const masked = members.flatMap(({ mask }) => (mask === null ? [] : [mask]))
    if (masked.length === 0) return null
    const tag = members.length === 1 ? undefined : findTagField(members.map(({ ast }) => ast))
    if (tag === undefined) {
      // Without a tag, the masks of all members apply.
      return (value) =>
        masked.reduce(
          (sum, mask) => (sum === hidden || typeof sum !== "object" || sum === null ? sum : mask(sum)),
          value
        )
    }
    const byTag = new Map(members.map(({ ast, mask }) => [literalFields(ast).get(tag), mask]))
    return (value) => {
      if (!isJsonObject(value)) return value
      const mask = byTag.get(value[tag])
      return mask === undefined
        ? failToHide(`something whose ${tag} is ${String(value[tag])}`)
        : (mask?.(value) ?? value)
    }
  }

  private isStructured(ast: SchemaAST.AST): boolean {
    const { _tag } = jsonShape(ast)
    return _tag === "Objects" || _tag === "Arrays" || _tag === "Union" || _tag === "Suspend"
  }
}

export interface FieldVisibility {
  /** All permissions in the annotations. */
  readonly permissions: ReadonlyArray<Permission>
  /** Mask for callers without these permissions. */
  readonly without: (missing: ReadonlyArray<Permission>) => Mask
  /** Mask for this actor; `null` if it sees everything. */
  readonly maskFor: (actor: Actor | null) => Mask | null
}

/**
 * Collects the annotations of a schema once, and compiles one mask for each set of missing permissions. An actor with all permissions costs one
 * lookup per permission.
 */
export const compileVisibility = (schema: Schema.Top): FieldVisibility => {
  const permissions = findPermissions(schema.ast)
  const masks = new Map<string, Mask>()
  const without = (missing: ReadonlyArray<Permission>): Mask => {
    const key = missing.join(" ")
    const known = masks.get(key)
    if (known !== undefined) return known
    const mask = new MaskCompiler(new Set(missing)).mask(schema.ast)
    if (mask === hideWhole) return failToHide("the whole answer")
    const whole: Mask = (json) => {
      const masked = mask === null ? json : mask(json)
      return masked === hidden ? failToHide("the whole answer") : masked
    }
    masks.set(key, whole)
    return whole
  }
  return {
    permissions,
    without,
    maskFor: (actor) => {
      if (permissions.length === 0) return null
      if (actor === null) return without(permissions)
      if (permissions.every((permission) => canView(actor, permission))) return null
      return without(permissions.filter((permission) => !canView(actor, permission)))
    }
  }
}
