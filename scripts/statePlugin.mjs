// Rules of the linter that are about state alone.

const collections = new Set(["Map", "Set", "WeakMap", "WeakSet"])
const mutable = new Set(["MutableHashMap", "MutableHashSet", "MutableList", "MutableRef"])
const functions = new Set(["ArrowFunctionExpression", "FunctionDeclaration", "FunctionExpression"])

const isConstantTable = ({ id }, textOf) =>
  id.typeAnnotation !== undefined &&
  id.typeAnnotation !== null &&
  /\bReadonly(?:Map|Set)</.test(textOf(id.typeAnnotation))

/** Whether an expression is evaluated once for the process, and its result can change later. */
const isProcessWide = (node, textOf) => {
  for (
    let inner = node, outer = node.parent;
    outer !== null && outer !== undefined;
    inner = outer, outer = outer.parent
  ) {
    if (functions.has(outer.type) || outer.type === "SpreadElement") return false
    if (outer.type === "PropertyDefinition" && inner === outer.value) return outer.static
    if (outer.type === "VariableDeclarator" && isConstantTable(outer, textOf)) return false
  }
  return true
}

const noModuleState = {
  create: (context) => {
    const textOf = (node) => context.sourceCode.getText(node)
    const report = (node) =>
      context.report({
        node,
        message: "State of the whole process: let a layer hold it, or type a constant table ReadonlyMap or ReadonlySet."
      })
    return {
      VariableDeclaration: (node) => {
        const isOfModule = node.parent.type === "Program" || node.parent.type === "ExportNamedDeclaration"
        if (isOfModule && node.kind !== "const") report(node)
      },
      NewExpression: (node) => {
        if (collections.has(node.callee.name) && isProcessWide(node, textOf)) report(node)
      },
      CallExpression: (node) => {
        const { callee } = node
        if (callee.type !== "MemberExpression" || callee.object.type !== "Identifier") return
        const { name } = callee.object
        const makesState = mutable.has(name) || (name !== "DateTime" && callee.property.name === "makeUnsafe")
        if (makesState && isProcessWide(node, textOf)) report(node)
      }
    }
  }
}

export default { meta: { name: "state" }, rules: { "no-module-state": noModuleState } }
