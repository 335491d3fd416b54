# A few classes of our own: a game whose rule is reached only with objects that belong together.
title='Gangup'
own_sources
dependencies=(junit:junit:4.13.2:test)
