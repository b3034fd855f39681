import { ColumnDefinitionNode, PostgresQueryCompiler, type DataTypeNode } from 'kysely'

/**
 * Columns hold and sort what they do on SQLite: an integer has 64 bits, and texts are compared by their code points,
 * whatever the language of the server.
 */
export class PortableQueryCompiler extends PostgresQueryCompiler {
  protected override visitDataType(node: DataTypeNode): void {
    if (node.dataType === 'integer') this.append('bigint')
    else super.visitDataType(node)
    const isColumn = this.parentNode !== undefined && ColumnDefinitionNode.is(this.parentNode)
    if (isColumn && node.dataType === 'text') this.append(' collate "C"')
  }
}
