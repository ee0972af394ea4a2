from firmware_host.web.table import Table
from starlette.routing import BaseRoute


def routes(table: Table) -> list[BaseRoute]:
    return []
