from starlette.routing import BaseRoute

from firmware_host.web.table import Table


def routes(table: Table) -> list[BaseRoute]:
    return []
